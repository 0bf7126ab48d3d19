import type { EventPipe } from '../streaming/event-pipe.ts';
import type { CachedResponse } from '@modelwire/ports';
import { stringifyJson } from '@modelwire/adapter-kit';
import { isStorageUnavailable } from '@modelwire/ports';
import { toRequestError } from '../errors.ts';
import { claimKey } from './idempotency.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import type { FormState } from './request-state.ts';
import { eventStream, json } from './reply.ts';
import type { Reply } from './reply.ts';

/** Longer streams are not stored: a retry of such a request runs again. */
const maxStoredLength = 4 * 1024 * 1024;

/**
 * Gives the stored reply of an earlier request with the same idempotency key, or runs the request so that its reply is stored. Without
 * stores there is nowhere to store it, and the key has no effect.
 *
 * @param identity Identifies the content of the body.
 */
export async function replayOrRun(
  { principal, request: { method, url }, server: { options }, idempotencyKey, form }: FormState,
  identity: string,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> {
  if (idempotencyKey === null || !options.stores) return run();
  const store = options.stores.project(principal.project).idempotency;
  const request = { method, url, body: identity };
  const claim = await claimKey(store, idempotencyKey, request, options.idempotency, options.report);
  if ('claimed' in claim) return runIdempotent(claim.claimed, run);
  await form?.discard();
  return { status: claim.response.status, cached: claim.response, isReplayed: true };
}

/**
 * Runs a request whose idempotency key was claimed, and stores its response. A failed request is not stored: its key is released, unless
 * the storage was unavailable. Then the request may have been carried out, so the claim is left to expire, and a retry does not carry it
 * out twice. If the response cannot be stored, it is sent nevertheless.
 */
export async function runIdempotent(claim: IdempotencyClaim, run: () => Reply | Promise<Reply>): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    await endFailedClaim(error, claim);
    throw error;
  }
  if ('cached' in reply || 'bytes' in reply) {
    // Endpoints that create objects never reply with bytes, which cannot be stored, or with a stored response.
    await claim.release();
    return reply;
  }
  if (!('events' in reply))
    return store(claim, {
      status: reply.status,
      contentType: json,
      body: reply.json ?? (await stringifyJson(reply.body)),
    });
  if (!('done' in reply)) return store(claim, { status: reply.status, contentType: eventStream, body: reply.events });
  return { ...reply, events: withStoredEvents(reply.events, reply.status, claim) };
}

/** Ends the claim of a request that failed. */
async function endFailedClaim(error: unknown, claim: IdempotencyClaim): Promise<void> {
  // Also where the error of the storage is the cause of another.
  if (isStorageUnavailable(toRequestError(error).cause)) claim.letExpire();
  else await claim.release();
}

async function store(claim: IdempotencyClaim, cached: CachedResponse): Promise<Reply> {
  await claim.finish(cached);
  return { status: cached.status, cached, isReplayed: false };
}

/** Passes the events on. Those of a reply that did not fail are stored before their last bytes are sent. */
function withStoredEvents(events: EventPipe, status: number, claim: IdempotencyClaim): EventPipe {
  const chunks: string[] = [];
  let length = 0;
  let hasSettled = false;

  async function settle(): Promise<void> {
    if (hasSettled) return;
    hasSettled = true;
    const failure = await events.done;
    if (failure !== undefined) await endFailedClaim(failure, claim);
    else if (!events.isComplete || length > maxStoredLength) await claim.release();
    else await claim.finish({ status, contentType: eventStream, body: chunks.join('') });
  }
  return {
    async next() {
      const chunk = await events.next();
      length += chunk?.length ?? 0;
      if (length > maxStoredLength) chunks.length = 0;
      else if (chunk !== undefined) chunks.push(chunk);
      if (chunk === undefined || events.isComplete) await settle();
      return chunk;
    },
    get isComplete() {
      return events.isComplete;
    },
    done: events.done,
    onStall: (listener) => events.onStall(listener),
    cancel(reason) {
      events.cancel(reason);
      // Not awaited: a claim that could not be released expires.
      void settle();
    },
  };
}
