// A separate entry point (`@modelwire/server/webhooks`): it needs Node's sockets and resolver.
import type { Readable } from 'node:stream';
import {
  RefusedPortError,
  RefusedUrlError,
  isPrivateHost,
  publicRequester,
  requireFetchableUrl,
} from '../media/images/public-host.ts';
import type { WebhookSender } from '../options/types.ts';

export interface WebhookSenderOptions {
  /** Milliseconds for an attempt, from resolving the host to the end of the reply. Default 15,000. */
  readonly timeoutMs?: number;
  /** Hosts, as `host:port`, that are allowed even if their addresses are not public or their ports are not 80 or 443. Default none. */
  readonly trustedHosts?: readonly string[] | undefined;
  /** DNS servers for hosts that are not trusted, as `address` or `address:port`. Default: those of the operating system. */
  readonly nameservers?: readonly string[];
}

/** Bytes of a reply that are read and discarded, so that the connection ends in order. */
const maxReplyBytes = 65_536;

/**
 * Sends deliveries of webhooks to the public internet: http and https at their usual ports, and to no address of this machine or of a
 * private, link-local or reserved network, unless the host is trusted. A name is resolved once, and the connection made to an address that
 * was checked. Redirects are not followed.
 */
export function webhookSender({
  timeoutMs = 15_000,
  trustedHosts = [],
  nameservers,
}: WebhookSenderOptions = {}): WebhookSender {
  const trusted = new Set(trustedHosts);
  const requestPublic = publicRequester({ trusted, nameservers, timeoutMs });
  return {
    refusal(url) {
      try {
        requireFetchableUrl(url, trusted);
        return isPrivateHost(url, trusted)
          ? `the host ${url.hostname} is not on the public internet. The setting 'webhookTrustedHosts' allows more hosts and ports`
          : undefined;
      } catch (error) {
        if (error instanceof RefusedPortError)
          return `${error.message}. The setting 'webhookTrustedHosts' allows more hosts and ports`;
        if (error instanceof RefusedUrlError) return error.message;
        throw error;
      }
    },
    async send({ url, headers, body, signal: jobSignal }) {
      const signal = AbortSignal.any([jobSignal, AbortSignal.timeout(timeoutMs)]);
      try {
        const response = await requestPublic(url, { method: 'POST', headers, body, signal });
        await discard(response.body);
        return response.statusCode;
      } catch (error) {
        jobSignal.throwIfAborted();
        if (signal.aborted) throw new Error(`no complete reply within ${timeoutMs} ms`, { cause: error });
        throw new Error(messageOf(error), { cause: error });
      }
    },
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  // Messages of undici have no addresses.
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('UND_')
    ? error.code
    : error.message;
}

async function discard(body: Readable): Promise<void> {
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxReplyBytes) return;
  }
}
