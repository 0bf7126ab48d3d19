import { createPartialJson } from '../json/index.ts';
import type { PartialJson } from '../json/index.ts';
import type { StreamState } from '../streams/stream.ts';

/** A stream whose reply is parsed while it arrives. Iterate it or its `partials()` once, await `final()`, or do both. */
export interface ParsedStream<Event, PartialValue, Parsed> extends AsyncIterable<Event, void, undefined> {
  readonly state: StreamState;
  /** Iterates the partial value, of the first choice, with each update. Leaving the loop aborts the stream. */
  partials(): AsyncIterable<PartialValue, void, undefined>;
  /** The result of `parse`. Reads the stream to its end, whether or not it is iterated. */
  final(): Promise<Parsed>;
  /** Aborts the call, so that the server stops generating. */
  abort(): void;
}

/** The stream that is parsed. */
interface SourceStream<Reply> {
  readonly state: StreamState;
  final(): Promise<Reply>;
  abort(): void;
}

/**
 * @param events Iterates the events of the stream, with those of partial values.
 * @param getPartial The partial value of an event of the first choice; undefined for every other event.
 */
export function createParsedStream<Reply, Event, PartialValue, Parsed>(
  source: SourceStream<Reply>,
  events: () => AsyncIterable<Event, void, undefined>,
  getPartial: (event: Event) => PartialValue | undefined,
  parse: (reply: Reply) => Promise<Parsed>,
): ParsedStream<Event, PartialValue, Parsed> {
  return {
    get state() {
      return source.state;
    },
    async *partials() {
      for await (const event of events()) {
        const partial = getPartial(event);
        if (partial !== undefined) yield partial;
      }
    },
    final: async () => parse(await source.final()),
    abort: () => source.abort(),
    [Symbol.asyncIterator]: () => events()[Symbol.asyncIterator](),
  };
}

/** Reads a reply piece by piece: `push` returns its value so far, which is its text where it has no schema. */
export function createReplyReader(hasSchema: boolean): Pick<PartialJson, 'push'> {
  if (hasSchema) return createPartialJson();
  let text = '';
  return { push: (piece) => (text += piece) };
}
