import type { RecentResponses } from '../../call.ts';
import type { EventPipe } from '../../streaming/event-pipe.ts';
import type { BodyWatchdog } from '../../limits/body-timeouts.ts';
import type { BytePipe } from '../../streaming/byte-pipe.ts';

/** A request, independent of the runtime. Adapters create one for each request. */
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
  /** The JSON body, if it is already in memory: then `text` and `bytes` are not called. */
  readonly parsedBody?: unknown;
  /**
   * The whole body as text: UTF-8, without a byte order mark.
   *
   * @throws a 400 for bytes that are not UTF-8, a 408 when it arrives too slowly, a 413 as soon as it is longer than allowed, a 499 when the
   * client disconnects before its end, and what `reserve` throws.
   */
  text(limits: BodyLimits): Promise<string>;
  /**
   * The body in chunks, read on demand. Ending the iteration early leaves the rest unread.
   *
   * @throws a 499 if the client disconnects before its end.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** Recent responses of a WebSocket connection. */
  readonly recentResponses?: RecentResponses | undefined;
  /** Calls the listener when the client disconnects before the response was sent. */
  onDisconnect(listener: () => void): void;
}

/** Limits for reading a body into memory. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Called with the size of each chunk before it is kept. @throws if there is not enough memory. */
  readonly reserve: (bytes: number) => void;
  readonly watchdog: BodyWatchdog;
}

/** The response. Headers are a plain object, which adapters write unchanged. */
export interface ResponseInit {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | EventPipe | BytePipe;
}
