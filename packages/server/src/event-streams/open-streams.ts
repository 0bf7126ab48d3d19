import type { EventStreamPage, StreamFailure } from '@modelwire/ports';

/** How a stream ended. `deleted`: it does not exist any more. */
export type StreamOutcome =
  | { readonly status: Exclude<EventStreamPage['status'], 'open' | 'lost' | 'failed'> | 'deleted' }
  | { readonly status: 'failed'; readonly failure: StreamFailure };

/** A stream that this server writes, for the readers that are connected to it. */
export interface LocalStream {
  /** The events after the position `after`, which may not be stored yet. Undefined if the next one is not in memory any more. */
  since(after: number): readonly string[] | undefined;
  /** Set when the stream has ended and its outcome is stored. */
  outcome(): StreamOutcome | undefined;
}

/** The streams of events that this server writes or reads. */
export interface OpenStreams {
  /** Adds a stream that this server writes. `onReaders` is called when their number changes. Returns a function that removes the stream. */
  add(id: string, stream: LocalStream, onReaders: (count: number) => void): () => void;
  /** Undefined if another server writes it. */
  find(id: string): LocalStream | undefined;
  /** The stream was changed by this server: it has new events, or it has ended or was deleted. */
  notify(id: string): void;
  /** Adds a reader, which is called back at each `notify`. Returns a function that removes it. */
  subscribe(id: string, onChange: () => void): () => void;
}

export function createOpenStreams(): OpenStreams {
  const readers = new Map<string, Set<() => void>>();
  const local = new Map<string, { readonly stream: LocalStream; readonly onReaders: (count: number) => void }>();
  return {
    add(id, stream, onReaders) {
      const added = { stream, onReaders };
      local.set(id, added);
      return () => {
        if (local.get(id) === added) local.delete(id);
      };
    },
    find: (id) => local.get(id)?.stream,
    notify(id) {
      for (const onChange of readers.get(id) ?? []) onChange();
    },
    subscribe(id, onChange) {
      const all = readers.get(id) ?? new Set();
      readers.set(id, all.add(onChange));
      local.get(id)?.onReaders(all.size);
      return () => {
        all.delete(onChange);
        if (all.size === 0 && readers.get(id) === all) readers.delete(id);
        local.get(id)?.onReaders(all.size);
      };
    },
  };
}
