import type { StreamState } from '../stream.ts';

/** A stream whose reply is parsed while it arrives. Iterate it or its `partials()` once, await `final()`, or do both. */
export interface ParsedStream<Event, Partial, Parsed> extends AsyncIterable<Event, void, undefined> {
  readonly state: StreamState;
  /** Iterates the partial value, of the first choice, with each update. Leaving the loop aborts the stream. */
  partials(): AsyncIterable<Partial, void, undefined>;
  /** The result of `parse`. Reads the stream to its end, whether or not it is iterated. */
  final(): Promise<Parsed>;
  /** Aborts the call, so that the server stops generating. */
  abort(): void;
}
