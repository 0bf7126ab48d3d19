import { RequestError, invalid } from '../errors.ts';
import { projectStores } from '../media/files/storage.ts';
import { replyWithStream } from '../streaming/completion-stream.ts';
import { claimStream, keyInUse } from './idempotency.ts';
import type { Reply } from './reply.ts';
import type { RequestState } from './request-state.ts';

/**
 * Runs a request for a stream that can be resumed, or joins the stream of an earlier request with the same idempotency key, after the event of
 * its `Last-Event-ID`. The stream of a request that is run stores its own events, and holds the key as long as it can be its reply.
 *
 * @param identity Identifies the content of the body.
 */
export async function joinOrRun<Body, Query>(
  state: RequestState<Body, Query>,
  streamIdPrefix: string,
  identity: string,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const { server, request, idempotencyKey: key, header } = state;
  const { options } = server;
  const after = lastEventId(header('last-event-id'));
  if (key === null || !options.stores) {
    if (after === undefined) return run();
    throw invalid(
      'Last-Event-ID',
      "The header 'Last-Event-ID' needs the 'Idempotency-Key' of the stream that it continues.",
    );
  }
  const { idempotency, eventStreams } = projectStores(state, server);
  const { leaseMs } = options.jobTimes;
  const stream = { id: server.createId(streamIdPrefix), leaseMs, keepMs: options.resumableStreams.keepMs };
  const { method, url } = request;
  const keyed = { key, stream, request: { method, url, body: identity }, resumes: after !== undefined };
  const claim = await claimStream(idempotency, keyed, options.idempotency, options.report);
  if (!claim) throw nothingToContinue();
  if ('joined' in claim) {
    const { joined: id } = claim;
    // Its key is held although it failed: whether it had an effect is unknown.
    if (after === undefined && (await eventStreams.read(id, { after: 0, limit: 1 }))?.status === 'failed')
      throw keyInUse();
    state.responseHeaders['idempotent-replayed'] = 'true';
    return replyWithStream({ id, after }, state, server);
  }
  state.claimedStream = claim.claimed;
  try {
    return await run();
  } catch (error) {
    // A stream that began holds its key itself.
    if (!server.openStreams.find(claim.claimed.id)) await claim.claimed.release();
    throw error;
  }
}

/** @throws a 400 for a request that continues a stream and asks for a whole reply. */
export function refuseLastEventId({ header }: Pick<RequestState<unknown, unknown>, 'header'>): void {
  if (lastEventId(header('last-event-id')) === undefined) return;
  throw invalid('Last-Event-ID', "The header 'Last-Event-ID' continues a stream: send it with 'stream': true.");
}

function nothingToContinue(): RequestError {
  return new RequestError(
    "There is no stream with this idempotency key. Send the request without 'Last-Event-ID' to generate a new one.",
    { status: 404, code: 'not_found', param: 'Last-Event-ID' },
  );
}

/** @throws a 400 if it is not the ID of an event. */
function lastEventId(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
  throw invalid('Last-Event-ID', "Invalid header 'Last-Event-ID': expected the 'id' of an event, an integer.");
}
