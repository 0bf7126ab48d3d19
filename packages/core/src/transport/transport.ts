import { asJson } from './response-reader.ts';
import type { ResponseReader } from './response-reader.ts';
import { call } from './call.ts';
import type { ApiResult } from './call.ts';
import { resolveOptions } from './options.ts';
import type { RequestOptions, TransportOptions } from './options.ts';
import type { Route } from './url.ts';

export interface ApiPromise<T> extends Promise<T> {
  /** The result of the same call with its response, request ID and attempts. Sends no second request. */
  withResponse(): Promise<ApiResult<T>>;
}

export interface Transport {
  /**
   * Sends a request. Retries after a failed connection, a timeout other than `total`, and status 408, 409, 429 and 5xx. Rejects
   * only with a `ModelwireError`. `reader` reads a successful response: `asJson()` (default), `asStream()` or `asResponse`.
   */
  request<T>(route: Route, options?: RequestOptions, reader?: ResponseReader<T>): ApiPromise<T>;
  /** The `inspect` option, for clients that read JSON from bytes. */
  readonly inspect?: TransportOptions['inspect'];
  /** The `maxRetries` option, for clients that continue streams. */
  readonly maxRetries?: TransportOptions['maxRetries'];
}

/** Options of a client: those of a transport, or a transport that is shared with other clients. */
export type ClientOptions = TransportOptions | Transport;

/**
 * Creates a transport to one server, for any number of clients. A transport is returned unchanged. Throws an `InputError` for an invalid
 * base URL.
 */
export function createTransport(options: ClientOptions = {}): Transport {
  if ('request' in options) return options;
  const settings = resolveOptions(options);
  return {
    inspect: settings.inspect,
    maxRetries: settings.maxRetries,
    request<T>(route: Route, init: RequestOptions = {}, reader: ResponseReader<T> = asJson<T>()): ApiPromise<T> {
      const result = call(settings, route, init, reader);
      const data = result.then((settled) => settled.data);
      // `withResponse` follows `data`, so that a rejection is unhandled only where neither is handled.
      return Object.assign(data, { withResponse: () => data.then(() => result) });
    },
  };
}
