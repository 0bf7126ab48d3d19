import { InputError } from '../errors.ts';
import type { ModelwireError } from '../errors.ts';

/** Events of a running operation for one reader, which can start reading at any time. */
export interface EventQueue<T> {
  /** Whether it is being iterated. */
  readonly isRead: boolean;
  push(event: T): void;
  /** Ends the queue. With an error, the loop throws it after the queued events; `drop` discards those. */
  end(error?: ModelwireError, drop?: boolean): void;
  /** Can be called once. `onEnd` is called when the loop ends or is left. */
  iterate(onEnd: () => void): AsyncGenerator<T, void, undefined>;
}

export function createEventQueue<T>(): EventQueue<T> {
  let queued: T[] = [];
  let ended: { readonly error: ModelwireError | undefined } | undefined;
  let isRead = false;
  let isQueueDropped = false;
  let wake = (): void => undefined;

  // A function, since the value can change while the reader handles an event.
  const isDropped = (): boolean => isQueueDropped;

  return {
    get isRead() {
      return isRead;
    },
    push(event) {
      if (ended !== undefined) return;
      queued.push(event);
      wake();
    },
    end(error, drop = false) {
      ended ??= { error };
      isQueueDropped ||= drop;
      wake();
    },
    iterate(onEnd) {
      if (isRead) throw new InputError('A run can be iterated only once.');
      isRead = true;
      return (async function* () {
        try {
          for (;;) {
            while (queued.length > 0 && !isDropped()) {
              const events = queued;
              queued = [];
              for (const event of events) {
                if (isDropped()) break;
                yield event;
              }
            }
            if (ended !== undefined) break;
            await new Promise<void>((resolve) => (wake = resolve));
          }
          if (ended.error !== undefined) throw ended.error;
        } finally {
          onEnd();
        }
      })();
    },
  };
}
