import type { ChatEvent } from '@modelwire/ports';
import { untilAborted } from '../until-aborted.ts';

/** Events of a reply that its reader has not taken yet: the next token is computed while the last is sent. */
export interface EventBuffer {
  push(events: readonly ChatEvent[]): void;
  /** No events follow; the reader gets the error after the events. */
  end(error?: Error): void;
  /** Resolves when the reader has taken enough for more to be generated, or has left. */
  room(): Promise<void>;
  /** Ends the wait for the reader, who has left. */
  abandon(): void;
  read(): AsyncGenerator<readonly ChatEvent[], void, undefined>;
}

/** Unread lists of events above which generation pauses. */
const maxUnread = 32;

/** `notify` calls back when it is time to wake the reader. */
export function createEventBuffer(signal: AbortSignal, notify: (wake: () => void) => void): EventBuffer {
  let unread: ChatEvent[][] = [];
  let ended: { readonly error: Error | undefined } | undefined;
  let isAbandoned = false;
  let arrival = Promise.withResolvers<undefined>();
  let departure = Promise.withResolvers<undefined>();

  const announce = (): void => {
    const { resolve } = arrival;
    notify(() => resolve(undefined));
  };
  return {
    push(events) {
      unread.push([...events]);
      announce();
    },
    end(error) {
      ended = { error };
      announce();
    },
    async room() {
      while (unread.length >= maxUnread && !isAbandoned) await departure.promise;
    },
    abandon() {
      isAbandoned = true;
      departure.resolve(undefined);
    },
    async *read() {
      for (;;) {
        signal.throwIfAborted();
        if (unread.length > 0) {
          const events = unread.flat();
          unread = [];
          departure.resolve(undefined);
          departure = Promise.withResolvers();
          yield events;
        } else if (ended) {
          if (ended.error !== undefined) throw ended.error;
          return;
        } else {
          arrival = Promise.withResolvers();
          await untilAborted(arrival.promise, signal);
        }
      }
    },
  };
}
