import type { EventSegment } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';

/** UTF-16 code units that may wait to be stored before the producer is slowed down. */
const highWater = 256 * 1024;
/** So many events are stored without waiting for more. */
const maxWaitingEvents = 64;

/** Stores the events of a stream in order while they are generated. */
export interface StreamWriter {
  /** Position of the next event. */
  readonly next: number;
  /** Whether a segment could not be stored because another server has the lease, or the stream was deleted. */
  readonly isLost: boolean;
  /** Whether so many events wait to be stored that the producer should wait. */
  readonly isFull: boolean;
  /** Adds an event, as a line of JSON. */
  add(event: string): void;
  /** Resolves when events were stored, so that there is space for more. @throws why one could not be stored. */
  drained(): Promise<void>;
  /** The events after the position `after` that are in memory; undefined if the next one is stored only. */
  since(after: number): readonly string[] | undefined;
  /** Stops storing. Resolves to the events that are not stored. @throws why one could not be stored. */
  rest(): Promise<EventSegment | undefined>;
}

interface StreamWriterInit {
  /** Position of the first event. */
  readonly first: number;
  /** How long an event waits for others of its segment, in milliseconds. */
  readonly maxDelayMs: number;
  /** Resolves to whether the segment is stored: false if the lease is lost. */
  readonly store: (segment: EventSegment) => Promise<boolean>;
}

export function createStreamWriter({ first, maxDelayMs, store }: StreamWriterInit): StreamWriter {
  /** The events that are not stored, from the position `start` on. The first `storing` of them are being stored. */
  let events: string[] = [];
  let start = first;
  let length = 0;
  let storing: Promise<void> | undefined;
  let clearTimer: (() => void) | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isLost = false;
  let isEnding = false;
  /** Whether the next events are stored at the end of this turn of the event loop. */
  let isDue = false;

  async function storeNext(): Promise<void> {
    const segment = { first: start, events: [...events] };
    if (!(await store(segment))) {
      isLost = true;
      return;
    }
    events = events.slice(segment.events.length);
    start += segment.events.length;
    for (const event of segment.events) length -= event.length;
  }
  function begin(): Promise<void> {
    clearTimer?.();
    clearTimer = undefined;
    isDue = false;
    storing ??= storeNext()
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        storing = undefined;
        schedule();
      });
    return storing;
  }
  function schedule(): void {
    if (storing || isEnding || failure || isLost || events.length === 0) return;
    if (maxDelayMs === 0) void begin();
    else if (events.length >= maxWaitingEvents) {
      if (isDue) return;
      isDue = true;
      clearTimer?.();
      // Not at once: events that are available together are stored together.
      clearTimer = unrefTimeout(0, () => void begin());
    }
    // At multiples of the delay: segments of several streams are stored in one commit.
    else clearTimer ??= unrefTimeout(maxDelayMs - (performance.now() % maxDelayMs), () => void begin());
  }
  const throwFailure = (): void => {
    if (failure) throw failure.error;
  };
  return {
    get next() {
      return start + events.length;
    },
    get isLost() {
      return isLost;
    },
    get isFull() {
      return length >= highWater;
    },
    add(event) {
      events.push(event);
      length += event.length;
      schedule();
    },
    async drained() {
      await storing;
      throwFailure();
    },
    since(after) {
      if (after + 1 < start) return undefined;
      return events.slice(after + 1 - start);
    },
    async rest() {
      isEnding = true;
      clearTimer?.();
      while (storing) await storing;
      throwFailure();
      return events.length > 0 ? { first: start, events } : undefined;
    },
  };
}
