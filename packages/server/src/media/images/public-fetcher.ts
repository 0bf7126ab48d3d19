import type { Dispatcher } from 'undici';
import { RequestError } from '../../errors.ts';
import { sleep } from '../../timers.ts';
import { RefusedUrlError, UnreachableHostError, publicRequester } from './public-host.ts';

const maxRedirects = 3;

export interface PublicFetcherOptions {
  /** Hosts, as `host:port`, that are allowed even if their addresses are not public or their ports are not 80 or 443. Default none. */
  readonly trustedHosts?: readonly string[] | undefined;
  /**
   * Minimum milliseconds before a fetch fails because its host was not reached, whatever the cause: the time that a name takes to resolve
   * would otherwise reveal which names exist in the server's network. Default 500.
   */
  readonly minFailureMs?: number;
  /** DNS servers for hosts that are not trusted, as `address` or `address:port`. Default: those of the operating system. */
  readonly nameservers?: readonly string[];
}

interface FetchInit<Result> {
  /** Media types that the request accepts. */
  readonly accept: string;
  readonly signal: AbortSignal;
  /** Milliseconds for all of it, redirects and `read` included. Default: no limit. */
  readonly timeoutMs?: number;
  /** Takes a response with status 200. */
  readonly read: (response: Dispatcher.ResponseData) => Result | Promise<Result>;
}

/**
 * Fetches from the public internet only: http and https at their usual ports, and no address of this machine or of a private,
 * link-local or reserved network. Names are resolved by DNS only, except those of trusted hosts. A name is resolved once, and the
 * connection made to an address that was checked, so that DNS rebinding has no effect; each redirect is checked like the first URL. No
 * cookies or credentials are sent. A name that does not exist, one with an address that is not allowed, and a host that refuses or does not
 * respond result in the same error. `connectTimeoutMs`: milliseconds until a host must be resolved and connected to.
 */
export function publicFetcher(connectTimeoutMs: number, options: PublicFetcherOptions) {
  const { trustedHosts = [], minFailureMs = 500, nameservers } = options;
  const trusted = new Set(trustedHosts);
  const requestPublic = publicRequester({ trusted, nameservers, timeoutMs: connectTimeoutMs });
  return async <Result>(url: string, { accept, signal, timeoutMs, read }: FetchInit<Result>): Promise<Result> => {
    const timely = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const startedAt = performance.now();
    let hasAnswered = false;
    try {
      let at = new URL(url);
      for (let redirects = 0; ; redirects++) {
        const headers = { accept, 'user-agent': 'modelwire' };
        const response = await requestPublic(at, { method: 'GET', headers, signal: timely });
        const next = redirectOf(response);
        hasAnswered = next === undefined;
        if (next === undefined) return await read(response);
        response.body.on('error', () => undefined).destroy();
        if (redirects >= maxRedirects) throw new Error(`it is redirected more than ${maxRedirects} times`);
        at = new URL(next, at);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RequestError) throw error;
      if (hasAnswered && timely.aborted) throw new Error(`it took longer than ${timeoutMs} ms`, { cause: error });
      if (!timely.aborted && !(error instanceof UnreachableHostError) && !isSystemError(error)) throw error;
      await sleep(minFailureMs - (performance.now() - startedAt), signal);
      throw new Error(unreachable, { cause: error });
    }
  };
}

const unreachable = 'its host is not on the public internet, or could not be reached in time';

function redirectOf({ statusCode, headers: { location }, body }: Dispatcher.ResponseData): string | undefined {
  if (statusCode === 200) return undefined;
  if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') return location;
  body.on('error', () => undefined).destroy();
  throw new RefusedUrlError(`its server responded with status ${statusCode}`);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
