import type { EventPipe } from '../event-pipe.ts';
import type { BytePipe } from './byte-pipe.ts';

/** A request, whatever brought it: an adapter makes one for each. */
export interface Incoming {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
  /** The whole body as text. @throws 413 as soon as it is longer than `maxBytes`. */
  text(maxBytes: number): Promise<string>;
  /**
   * The body as it arrives, no faster than it is taken. Ending the iteration early leaves the rest where it is.
   *
   * @throws a 499 when the sender leaves before its end.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** Calls back when the caller leaves before the answer was sent. */
  onLeave(left: () => void): void;
}

/** What goes back. Headers are a plain object: adapters write it as it is. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | EventPipe | BytePipe;
}
