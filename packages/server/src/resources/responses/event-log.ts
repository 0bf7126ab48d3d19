import type { ResponseObject } from '@modelwire/schema/types';
import type { Lease, ResponseEvent, ResponseRecord, ResponseStore } from '@modelwire/ports';
import type { BackgroundRun } from '../../call.ts';

/** UTF-16 code units that may wait to be stored before the engine is slowed down. */
const highWater = 256 * 1024;
const pageSize = 1000;

/** Stores the events of a background response while it is generated. */
export interface EventLog extends Pick<BackgroundRun, 'nextSequence' | 'add' | 'flush' | 'isLost'> {
  /** Stores the response when its generation starts. */
  begin(response: ResponseObject): Promise<void>;
  /** Resolves, when nothing is being stored any more, to the events that are not stored yet. */
  rest(): Promise<readonly ResponseEvent[]>;
}

interface EventLogInit {
  readonly responses: ResponseStore;
  readonly record: ResponseRecord;
  readonly lease: Lease;
  readonly onStored: () => void;
}

/** Continues the events that are stored: those of a worker that was killed stay in the stream. */
export async function createEventLog({ responses, record, lease, onStored }: EventLogInit): Promise<EventLog> {
  let response = record.response;
  let next = record.isStreamed ? await storedEvents(responses, response.id) : 0;
  let waiting: ResponseEvent[] = [];
  let length = 0;
  let isLost = false;
  let failure: { readonly error: unknown } | undefined;
  let storing: Promise<void> | undefined;

  async function store(): Promise<void> {
    while (waiting.length > 0 && !isLost) {
      const events = waiting;
      waiting = [];
      length = 0;
      if (await responses.update(response, { lease, events })) onStored();
      else isLost = true;
    }
  }
  function start(): Promise<void> {
    storing ??= store()
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => (storing = undefined));
    return storing;
  }
  const outcome = (): boolean => {
    if (failure) throw failure.error;
    return !isLost;
  };
  return {
    async begin(started) {
      response = started;
      if (await responses.update(response, { lease, events: [] })) onStored();
      else isLost = true;
    },
    nextSequence: () => next,
    add({ openJson, sequenceNumber: sequence }) {
      if (!record.isStreamed) return;
      const data = `${openJson}}`;
      waiting.push({ sequence, data });
      length += data.length;
      next = sequence + 1;
    },
    flush() {
      if (waiting.length === 0) return outcome();
      const stored = start();
      return length < highWater ? outcome() : stored.then(outcome);
    },
    isLost: () => isLost,
    async rest() {
      await storing;
      outcome();
      const events = waiting;
      waiting = [];
      return events;
    },
  };
}

/** How many events are stored. */
async function storedEvents(responses: ResponseStore, id: string): Promise<number> {
  let after = -1;
  for (;;) {
    const page = await responses.events(id, { after, limit: pageSize });
    after = page.at(-1)?.sequence ?? after;
    if (page.length < pageSize) return after + 1;
  }
}
