import type { ResponseObject } from '@modelwire/schema/types';
import type { EventSegment, EventStreamStore, Lease, ResponseRecord, ResponseStore } from '@modelwire/ports';
import type { BackgroundRun } from '../../call.ts';
import { createStreamWriter } from '../../event-streams/stream-writer.ts';

const pageSize = 64;

/** Stores the events of a background response while it is generated. */
export interface EventLog extends Pick<BackgroundRun, 'nextSequence' | 'add' | 'flush' | 'isLost'> {
  /** Stores the response when its generation starts. */
  begin(response: ResponseObject): Promise<void>;
  /** Resolves, when nothing is being stored any more, to the events that are not stored yet. */
  rest(): Promise<EventSegment | undefined>;
}

interface EventLogInit {
  readonly responses: ResponseStore;
  readonly eventStreams: EventStreamStore;
  readonly record: ResponseRecord;
  readonly lease: Lease;
  readonly onStored: () => void;
}

/** Continues the events that are stored: those of a worker that was killed stay in the stream. */
export async function createEventLog(init: EventLogInit): Promise<EventLog> {
  const { responses, eventStreams, record, lease, onStored } = init;
  let response = record.response;
  let hasLostLease = false;

  async function store(segment: EventSegment | undefined): Promise<boolean> {
    const isStored = await responses.update(response, { lease, segment });
    if (isStored) onStored();
    else hasLostLease = true;
    return isStored;
  }
  // Readers see stored events only, since those of an attempt that fails are generated again: nothing is gained by storing them later.
  const writer = createStreamWriter({
    first: record.isStreamed ? await storedEvents(eventStreams, response.id) : 0,
    maxDelayMs: 0,
    store,
  });
  return {
    async begin(started) {
      response = started;
      await store(undefined);
    },
    nextSequence: () => writer.next,
    add({ openJson }) {
      if (record.isStreamed) writer.add(`${openJson}}`);
    },
    flush: () => (writer.isFull ? writer.drained().then(() => !hasLostLease) : !hasLostLease),
    isLost: () => hasLostLease,
    rest: () => writer.rest(),
  };
}

/** How many events are stored. */
async function storedEvents(eventStreams: EventStreamStore, id: string): Promise<number> {
  for (let after = -1; ;) {
    const page = await eventStreams.read(id, { after, limit: pageSize });
    const last = page?.segments.at(-1);
    if (last) after = last.first + last.events.length - 1;
    if (!page?.hasMore) return after + 1;
  }
}
