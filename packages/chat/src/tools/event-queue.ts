import { InputError } from '@modelwire/core';
import type { ModelwireError } from '@modelwire/core';

/** Events of something that goes on by itself, for one reader who comes when they like. */
export interface EventQueue<T> {
  /** Whether somebody iterates. */
  readonly isRead: boolean;
  push(event: T): void;
  /** No more events come. With an error the loop throws it after those that are there; `drop` leaves them out. */
  end(error?: ModelwireError, drop?: boolean): void;
  /** Once. `onLeave` is called when the loop is over or was left. */
  iterate(onLeave: () => void): AsyncGenerator<T, void, undefined>;
}

export function createEventQueue<T>(): EventQueue<T> {
  let ready: T[] = [];
  let ended: { readonly error: ModelwireError | undefined } | undefined;
  let isRead = false;
  let dropped = false;
  let wake = (): void => undefined;

  // While a reader holds an event, anything may happen.
  const isDropped = (): boolean => dropped;

  return {
    get isRead() {
      return isRead;
    },
    push(event) {
      if (ended !== undefined) return;
      ready.push(event);
      wake();
    },
    end(error, drop = false) {
      ended ??= { error };
      dropped ||= drop;
      wake();
    },
    iterate(onLeave) {
      if (isRead) throw new InputError('A run can be iterated once.');
      isRead = true;
      return (async function* () {
        try {
          for (;;) {
            while (ready.length > 0 && !isDropped()) {
              const events = ready;
              ready = [];
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
          onLeave();
        }
      })();
    },
  };
}
