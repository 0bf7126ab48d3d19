import type { RecentResponses } from '../../call.ts';
import type { EventPipe } from '../../streaming/event-pipe.ts';
import type { ClientConnection } from '../../limits/client-connection.ts';
import type { BodyLimits } from '../../limits/request-bodies.ts';
import type { BytePipe } from '../../streaming/byte-pipe.ts';

/** A request, independent of the runtime. Adapters create one for each request. */
export interface RequestAdapter {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  /** The URL that the client requested, where an app mounts the server below a path and removes that from `url`. */
  readonly originalUrl?: string | undefined;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
  /** The address that the connection comes from: that of the last proxy, where there are any. Undefined where it is unknown. */
  remoteAddress?(): string | undefined;
  /** All headers, with lower-case names. */
  headers(): Iterable<readonly [string, string]>;
  /**
   * The JSON body of a request that does not arrive by HTTP, or a promise of it: then `body` and `bytes` are not called. @throws a 400 for invalid
   * JSON.
   */
  parsedBody?(): unknown;
  /**
   * The whole body.
   *
   * @throws a 408 when it arrives too slowly, a 413 as soon as it is longer than allowed, a 499 when the client disconnects before its end, and
   * a 503 when there is not enough memory.
   */
  body(limits: BodyLimits): Promise<Uint8Array>;
  /**
   * The body in chunks, read on demand. Ending the iteration early leaves the rest unread.
   *
   * @throws a 499 if the client disconnects before its end.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** Recent responses of a WebSocket connection. */
  readonly recentResponses?: RecentResponses | undefined;
  /** Aborted when the client disconnects before the response was sent. */
  readonly client: ClientConnection;
}

/** The response. Headers are a plain object, which adapters write unchanged. */
export interface ResponseInit {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | EventPipe | BytePipe;
}
