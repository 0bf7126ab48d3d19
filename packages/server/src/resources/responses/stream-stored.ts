import { DONE_EVENT } from '@modelwire/core';
import type { ResponseObject, ResponseRetrieveParams } from '@modelwire/schema/types';
import type { ResponseRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import { streamReply } from '../../streaming/event-pipe.ts';
import type { EventSink, StreamedReply } from '../../streaming/event-pipe.ts';
import { unrefTimeout } from '../../timers.ts';
import { EventSequence, storedEvent } from './event-sequence.ts';
import { writeEventsTo } from './write-events.ts';

/** How many stored events are read at a time. */
const pageSize = 256;
/** How often a stream polls for events that another server stored. */
const pollMs = 500;

type StreamCall = Pick<Call, 'principal' | 'client' | 'logRecord'>;

interface StoredStream {
  readonly record: ResponseRecord;
  readonly query: Pick<ResponseRetrieveParams, 'starting_after' | 'include_obfuscation'>;
}

/** The events of a background response: those that are stored, then further ones as they are stored, until it ends. */
export async function streamStoredResponse(
  stored: StoredStream,
  call: StreamCall,
  server: ServerContext,
): Promise<StreamedReply> {
  const { response, isStreamed } = stored.record;
  if (!isStreamed) {
    throw invalidState(
      `The response '${response.id}' has no events: they are stored for responses that are created with 'background' and 'stream'.`,
    );
  }
  return streamReply(call, server, undefined, (sink) => writeEvents(stored, sink, call, server));
}

async function writeEvents(
  { record, query }: StoredStream,
  sink: EventSink,
  call: StreamCall,
  server: ServerContext,
): Promise<void> {
  const { id } = record.response;
  const { responses } = projectStores(call, server);
  const { include_obfuscation: isObfuscated = true } = query;
  const changes = createChanges(id, call, server);
  const write = writeEventsTo(sink, isObfuscated);
  let after = query.starting_after ?? -1;
  try {
    while (!sink.isClosed && !call.client.signal.aborted) {
      changes.reset();
      // Read first: when the response has ended by now, all events are among the next pages.
      const current = await responses.get(id);
      const page = await responses.events(id, { after, limit: pageSize });
      for (const { sequence, data } of page) {
        after = sequence;
        write(storedEvent(data, sequence));
      }
      if (sink.isFull) await sink.drained();
      if (page.length === pageSize) continue;
      if (!current || hasEnded(current.response)) {
        if (current?.response.status === 'cancelled') {
          new EventSequence(write, after + 1).emit({ type: 'response.incomplete', response: current.response });
        }
        break;
      }
      await changes.next();
    }
    sink.write(DONE_EVENT);
  } finally {
    changes.stop();
  }
}

function hasEnded({ status }: ResponseObject): boolean {
  return status !== 'queued' && status !== 'in_progress';
}

interface Changes {
  /** Changes from now on count. */
  reset(): void;
  /** Resolves at a change since `reset`, after `pollMs`, or when the client disconnects. */
  next(): Promise<void>;
  stop(): void;
}

function createChanges(id: string, call: StreamCall, server: ServerContext): Changes {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const onChange = (): void => {
    hasChanged = true;
    wake?.();
  };
  const unsubscribe = server.responseEvents.subscribe(id, onChange);
  const { signal } = call.client;
  signal.addEventListener('abort', onChange, { once: true });
  return {
    reset() {
      hasChanged = false;
    },
    next() {
      if (hasChanged) return Promise.resolve();
      return new Promise((resolve) => {
        const cancelPoll = unrefTimeout(pollMs, resolve);
        wake = () => {
          cancelPoll();
          resolve();
        };
      });
    },
    stop() {
      unsubscribe();
      signal.removeEventListener('abort', onChange);
    },
  };
}
