import { DONE_EVENT } from '@modelwire/core';
import type { EventSegment } from '@modelwire/ports';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { RequestError, failureOf, invalid, streamCancelled, streamInterrupted } from '../errors.ts';
import { followStream } from '../event-streams/follow-stream.ts';
import type { StreamOutcome } from '../event-streams/open-streams.ts';
import { projectStores } from '../media/files/storage.ts';
import { continueLostStream } from './continue-lost-stream.ts';
import { streamReply, writeError } from './event-pipe.ts';
import type { StreamedReply } from './event-pipe.ts';

type StreamCall = Pick<Call, 'client' | 'logRecord' | 'principal'>;

interface StreamPosition {
  readonly id: string;
  /** The last event that the client has; undefined for none. */
  readonly after: number | undefined;
}

/** The longest time between two notes of a reader on another server. */
const maxNoteMs = 10_000;

/** Streams the chunks of a resumable stream after a position, live, as events with their positions as IDs. */
export function replyWithStream(
  { id, after = -1 }: StreamPosition,
  call: StreamCall,
  server: ServerContext,
): Promise<StreamedReply> {
  return streamReply(call, server, undefined, async (sink) => {
    let last = after;
    try {
      const outcome = await follow({ id, after }, call, server, async (segment) => {
        last = segment.first + segment.events.length - 1;
        sink.write(textOf(segment));
        if (sink.isFull) await sink.drained();
      });
      if (!outcome) return;
      await assertEnded(outcome, last > after ? -1 : after, (position) => hasEvent(id, position, call, server));
      sink.write(DONE_EVENT);
    } catch (thrown) {
      // The events come first, also if none of them was sent yet.
      writeError(thrown, call, sink, sink.hasStarted || last > after);
    }
  });
}

function follow(
  { id, after }: { readonly id: string; readonly after: number },
  call: StreamCall,
  server: ServerContext,
  onEvents: (segment: EventSegment) => Promise<void>,
): Promise<StreamOutcome | undefined> {
  const { eventStreams: store } = projectStores(call, server);
  const { keepMs, maxDetachedMs } = server.options.resumableStreams;
  return followStream({
    id,
    after,
    store,
    openStreams: server.openStreams,
    signal: call.client.signal,
    leased: {
      onLost: async () => {
        if (await continueLostStream(id, call, server)) return;
        await store.endLost(id, { failure: failureOf(streamInterrupted()), keepMs });
      },
      noteReader: () => store.follow(id),
      noteMs: Math.min(maxNoteMs, maxDetachedMs / 3),
    },
    onEvents,
  });
}

/** @throws why the stream did not end as it should; a 400 if it has ended before the event `after`. */
async function assertEnded(
  outcome: StreamOutcome,
  after: number,
  hasEvent: (position: number) => Promise<boolean>,
): Promise<void> {
  if (outcome.status === 'failed') throw new RequestError(outcome.failure.message, outcome.failure);
  if (outcome.status === 'deleted') throw streamCancelled();
  if (after >= 0 && !(await hasEvent(after)))
    throw invalid('starting_after', `The stream has no event ${after}: it has ended before.`);
}

async function hasEvent(id: string, position: number, call: StreamCall, server: ServerContext): Promise<boolean> {
  const page = await projectStores(call, server).eventStreams.read(id, { after: position - 1, limit: 1 });
  return page !== undefined && page.segments.length > 0;
}

function textOf({ first, events }: EventSegment): string {
  let text = '';
  let position = first;
  for (const event of events) text += `id: ${position++}\ndata: ${event}\n\n`;
  return text;
}
