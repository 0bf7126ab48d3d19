import type { RecentResponses } from '../../call.ts';
import type { EventPipe } from '../../streaming/event-pipe.ts';
import type { BodyWatch } from '../../limits/sender-pace.ts';
import type { BytePipe } from '../../streaming/byte-pipe.ts';

/** A request, whatever brought it: an adapter makes one for each. */
export interface RequestAdapter {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
  /** The address that the connection comes from: that of the last proxy, where there are any. Undefined where it is unknown. */
  remoteAddress?(): string | undefined;
  /** All headers, with lower-case names. */
  headers(): Iterable<readonly [string, string]>;
  /** The JSON body, where it is in memory already: then `text` and `bytes` are not called. */
  readonly parsedBody?: unknown;
  /**
   * The whole body as text: UTF-8, without a byte order mark.
   *
   * @throws a 400 for bytes that are not UTF-8, a 408 when it arrives too slowly, a 413 as soon as it is longer than allowed, a 499
   * when the sender leaves before its end, and what `reserve` throws.
   */
  text(limits: BodyLimits): Promise<string>;
  /**
   * The body as it arrives, no faster than it is taken. Ending the iteration early leaves the rest where it is.
   *
   * @throws a 499 when the sender leaves before its end.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** What the connection remembers, if it is a WebSocket. */
  readonly recentResponses?: RecentResponses | undefined;
  /** Calls back when the client disconnects before the answer was sent. */
  onDisconnect(left: () => void): void;
}

/** What bounds the reading of a body into memory. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Called with the size of each piece before it is kept. @throws when there is no memory for it. */
  readonly reserve: (bytes: number) => void;
  readonly watch: BodyWatch;
}

/** What goes back. Headers are a plain object: adapters write it as it is. */
export interface ResponseInit {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | EventPipe | BytePipe;
}
