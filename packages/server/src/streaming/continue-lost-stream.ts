import type { EventStreamStore, StoredRequest } from '@modelwire/ports';
import type { Call, LostStream } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { failureOf, streamInterrupted } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import { parseExactJsonInSlices } from '../json/exact-json.ts';
import { accessEndOf } from '../limits/access-end.ts';
import { ClientConnection } from '../limits/client-connection.ts';
import { projectStores } from '../media/files/storage.ts';

const path = '/v1/chat/completions';
const pageSize = 16;

interface TakenStream {
  readonly id: string;
  readonly project: string;
  readonly store: EventStreamStore;
  readonly stored: StoredRequest;
}

/**
 * Continues a stream whose server died: its request is sent again, for the rest of the reply. One server does it, once. Returns false if this one
 * does not.
 */
export async function continueLostStream(
  id: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<boolean> {
  const { resumableStreams, jobTimes, report } = server.options;
  const { continueLost, keepMs } = resumableStreams;
  if (!continueLost || !server.internalDispatches.has(path)) return false;
  const { eventStreams: store } = projectStores(call, server);
  const stored = await store.takeOver(id, { leaseMs: jobTimes.leaseMs, keepMs });
  if (!stored) return false;
  const { project } = call.principal;
  void generateRest({ id, project, store, stored }, server)
    .then((error) => error && store.end(id, { failure: failureOf(error), keepMs }, 'successor'))
    // Its lease expires, and readers end it.
    .catch((thrown: unknown) => report('a stream could not be continued', thrown));
  return true;
}

/** Resolves when the stream has ended, or to why it could not be continued. */
async function generateRest(
  { id, project, store, stored }: TakenStream,
  server: ServerContext,
): Promise<RequestError | undefined> {
  const principal = { keyId: stored.keyId, project };
  const accessEnd = await accessEndOf(server, { principal, what: 'The stream was stopped', onEnd: 'abort' });
  if (accessEnd) return accessEnd;
  const lostStream = await readLostStream(id, store);
  if (!lostStream) return streamInterrupted();
  const reply = await server.internalDispatches.get(path)?.({
    from: { principal, trace: stored },
    body: () => parseExactJsonInSlices(stored.request),
    client: new ClientConnection(),
    lostStream,
  });
  return reply?.error;
}

/** A stored event: `writeChunk` wrote it, with the fields of an upstream. */
interface StoredChunk {
  readonly created: number;
  readonly choices: readonly {
    readonly delta: Readonly<Record<string, unknown>>;
    readonly finish_reason?: unknown;
  }[];
}

/** What is stored of a reply; undefined if it is not the start of a plain text. */
async function readLostStream(id: string, store: EventStreamStore): Promise<LostStream | undefined> {
  let created: number | undefined;
  let next = 0;
  let text = '';
  let tokens = 0;
  for (;;) {
    const page = await store.read(id, { after: next - 1, limit: pageSize });
    for (const event of page?.segments.flatMap(({ events }) => events) ?? []) {
      const chunk = JSON.parse(event) as StoredChunk;
      ({ created } = chunk);
      next++;
      for (const { delta, finish_reason } of chunk.choices) {
        const { role: _, content, ...others } = delta;
        const hasOthers = Object.values(others).some((value) => value !== null && value !== '');
        if (hasOthers || typeof finish_reason === 'string') return undefined;
        if (typeof content !== 'string' || content === '') continue;
        text += content;
        tokens++;
      }
    }
    if (!page?.hasMore) return { id, next, created, text, tokens };
  }
}
