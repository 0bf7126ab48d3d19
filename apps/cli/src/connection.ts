import { createTransport } from '@modelwire/core';
import type { Middleware, Transport } from '@modelwire/core';
import { checkBaseURL } from './config/base-url.ts';
import type { Settings } from './config/settings.ts';
import type { Printer } from './output/printer.ts';
import { nodeFetch } from './node-fetch.ts';
import { version } from './version.ts';

export interface ConnectionFlags {
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly verbose: boolean;
}

/** Opens the connection to the configured server. */
export function connect({ baseURL, key }: Settings, flags: ConnectionFlags, print: Printer): Transport {
  const { timeout, retries, verbose } = flags;
  return createTransport({
    baseURL: checkBaseURL(baseURL.value),
    fetch: nodeFetch,
    headers: { 'user-agent': `modelwire-cli/${version}` },
    ...(key !== undefined && { apiKey: key.value }),
    ...(retries !== undefined && { maxRetries: retries }),
    ...(timeout !== undefined && { timeouts: { total: timeout * 1000 } }),
    ...(verbose && { middleware: [logRequests(print)] }),
  });
}

/** Logs each attempt on stderr, without headers and bodies, which can contain secrets. */
function logRequests(print: Printer): Middleware {
  return async (request, next) => {
    const started = performance.now();
    const log = (outcome: string): void => {
      print.note(`${request.method} ${request.url}  ${outcome}  ${Math.round(performance.now() - started)} ms`);
    };
    try {
      const response = await next(request);
      log(`${response.status} ${response.headers.get('x-request-id') ?? ''}`.trim());
      return response;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
