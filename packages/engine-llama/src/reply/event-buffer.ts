import type { ChatEvent } from '@modelwire/ports';
import { raceAbort } from '@modelwire/adapter-kit';

/** Events of a reply that have not been read yet: the next token is computed while the previous one is sent. */
export interface EventBuffer {
  push(events: readonly ChatEvent[]): void;
  /** Ends the events. The reader gets the error after all events. */
  end(error?: Error): void;
  /** Resolves when there is room for more events, or when reading was cancelled. */
  waitForRoom(): Promise<void>;
  /** Resolves all waits for room, because the events will not be read. */
  cancel(): void;
  read(): AsyncGenerator<readonly ChatEvent[], void, undefined>;
}

/** The number of unread lists of events at which generation pauses. */
const maxUnread = 32;

/** @param notify Calls `wake` when it is time to wake the reader. */
export function createEventBuffer(signal: AbortSignal, notify: (wake: () => void) => void): EventBuffer {
  let unread: ChatEvent[][] = [];
  let ended: { readonly error: Error | undefined } | undefined;
  let isCancelled = false;
  let added = Promise.withResolvers<undefined>();
  let taken = Promise.withResolvers<undefined>();

  const wakeReader = (): void => {
    const { resolve } = added;
    notify(() => resolve(undefined));
  };
  return {
    push(events) {
      unread.push([...events]);
      wakeReader();
    },
    end(error) {
      ended = { error };
      wakeReader();
    },
    async waitForRoom() {
      while (unread.length >= maxUnread && !isCancelled) await taken.promise;
    },
    cancel() {
      isCancelled = true;
      taken.resolve(undefined);
    },
    async *read() {
      for (;;) {
        signal.throwIfAborted();
        if (unread.length > 0) {
          const events = unread.flat();
          unread = [];
          taken.resolve(undefined);
          taken = Promise.withResolvers();
          yield events;
        } else if (ended) {
          if (ended.error !== undefined) throw ended.error;
          return;
        } else {
          added = Promise.withResolvers();
          await raceAbort(added.promise, signal);
        }
      }
    },
  };
}
