import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici/index.js';
import type { Dispatcher } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { isLoopbackName, resolveHost } from './resolve-host.ts';

/** The URL itself is refused, or the response of an allowed host. */
export class RefusedUrlError extends Error {}

/** The port of the URL is refused. */
export class RefusedPortError extends RefusedUrlError {}

/** Refused because of what the name of the host resolves to. */
export class UnreachableHostError extends Error {}

/** Hosts, as `host:port`, that are allowed even if their addresses are not public or their ports are not 80 or 443. */
type TrustedHosts = ReadonlySet<string>;

/** @throws {RefusedUrlError} for a URL that is refused without resolving its host. */
export function requireFetchableUrl(url: URL, trusted: TrustedHosts): void {
  const { protocol, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RefusedUrlError('the URL must begin with http:// or https://');
  if (username !== '' || password !== '')
    throw new RefusedUrlError('the URL must not contain a user name or a password');
  const port = portOf(url);
  if (!isTrusted(url, trusted) && port !== '80' && port !== '443')
    throw new RefusedPortError(`the URL has the port ${port}; only the ports 80 and 443 are allowed`);
}

interface PublicRequesterOptions {
  readonly trusted: TrustedHosts;
  /** DNS servers for hosts that are not trusted, as `address` or `address:port`. Default: those of the operating system. */
  readonly nameservers: readonly string[] | undefined;
  /** Milliseconds until a host must be resolved and connected to. */
  readonly timeoutMs: number;
}

type PublicRequestInit = Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & {
  readonly method: Dispatcher.HttpMethod;
  readonly signal: AbortSignal;
};

/**
 * Sends requests to the public internet only, each over its own connection. A host is resolved once, when it is connected to, and the
 * connection is made to an address that was checked. Redirects are not followed.
 *
 * @throws {RefusedUrlError} for a URL that may not be fetched.
 * @throws {UnreachableHostError} for a host with an address that is not public, unless it is trusted.
 */
export function publicRequester({
  trusted,
  nameservers,
  timeoutMs,
}: PublicRequesterOptions): (url: URL, init: PublicRequestInit) => Promise<Dispatcher.ResponseData> {
  const dispatcher = new Agent({
    allowH2: false,
    pipelining: 0,
    connect(options, callback) {
      const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
      const signal = AbortSignal.timeout(timeoutMs);
      resolvePublicHost(url, { trusted, nameservers, signal }).then(
        (lookup) => buildConnector({ allowH2: false, timeout: timeoutMs, lookup })(options, callback),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
  return async (url, init) => {
    requireFetchableUrl(url, trusted);
    return request(url, { ...init, dispatcher });
  };
}

/** Whether the host, without being resolved, is known to be an address that is not public, and is not trusted. */
export function isPrivateHost(url: URL, trusted: TrustedHosts): boolean {
  if (isTrusted(url, trusted)) return false;
  const host = hostOf(url);
  return isIP(host) === 0 ? isLoopbackName(host) : !isPublicAddress(host);
}

type ResolveInit = Omit<PublicRequesterOptions, 'timeoutMs'> & { readonly signal: AbortSignal };

/**
 * Resolves the host of the URL and checks its addresses. Returns a `lookup` for the connection that gives the addresses that were checked,
 * whatever the name resolves to by then.
 */
async function resolvePublicHost(url: URL, { trusted, nameservers, signal }: ResolveInit): Promise<LookupFunction> {
  const hostname = hostOf(url);
  const anywhere = isTrusted(url, trusted);
  const addresses =
    isIP(hostname) === 0
      ? await resolveHost(hostname, { signal, isTrusted: anywhere, nameservers })
      : [{ address: hostname, family: isIP(hostname) }];
  const [first] = addresses;
  // A single address that is not public is enough to refuse the host: no legitimate host mixes them.
  if (!first || (!anywhere && !addresses.every(({ address }) => isPublicAddress(address)))) {
    throw new UnreachableHostError('an address of its host is not public');
  }
  return (_name, { all }, callback) => {
    if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

const isTrusted = (url: URL, trusted: TrustedHosts): boolean => trusted.has(`${url.hostname}:${portOf(url)}`);
/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL): string => (port === '' ? (protocol === 'http:' ? '80' : '443') : port);
