import { raceAbort } from '@modelwire/adapter-kit';
import { Resolver, lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

interface ResolveHostOptions {
  readonly signal: AbortSignal;
  /** Whether the operator trusts this host: then the operating system resolves it, with `/etc/hosts` and search domains. */
  readonly isTrusted: boolean;
  /** `address` or `address:port`. Default: those of the operating system. */
  readonly nameservers?: readonly string[] | undefined;
}

/** Whether a name is one of this machine by definition (RFC 6761). Such names are never sent to DNS. */
export const isLoopbackName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

/**
 * The addresses of a host.
 *
 * Clients choose the names, so they are resolved by DNS over sockets: `lookup` would occupy one of the four threads for file access for as
 * long as a name does not resolve.
 */
export async function resolveHost(hostname: string, options: ResolveHostOptions): Promise<readonly LookupAddress[]> {
  const { signal, isTrusted, nameservers } = options;
  signal.throwIfAborted();
  if (!isTrusted && isLoopbackName(hostname)) return [{ address: '127.0.0.1', family: 4 }];
  // Created for each host, so that it uses the current nameservers and `cancel` only ends its own queries.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (nameservers) resolver.setServers(nameservers);
  const onAbort = (): void => resolver.cancel();
  signal.addEventListener('abort', onAbort);
  try {
    const found = isTrusted ? lookup(hostname, { all: true }) : queryAddresses(hostname, resolver);
    return await raceAbort(found, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function queryAddresses(hostname: string, resolver: Resolver): Promise<readonly LookupAddress[]> {
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = results.flatMap((result, index) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  const [first] = results;
  if (found.length === 0 && first.status === 'rejected') throw first.reason;
  return found;
}
