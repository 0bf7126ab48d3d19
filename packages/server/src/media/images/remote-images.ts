// An entry of its own (`@modelwire/server/remote-images`): it needs Node's sockets and resolver.
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RequestError } from '../../errors.ts';
import { sleep } from '../../timers.ts';
import { createPieceBuffer } from '../../piece-buffer.ts';
import type { FetchImage } from '../../option-types.ts';
import { RefusedUrlError, UnreachableHostError, resolvePublicHost } from './public-host.ts';
import type { TrustedHosts } from './public-host.ts';

export interface RemoteImagesOptions {
  /** Milliseconds for all of it, redirects included. Default 10,000. */
  readonly timeoutMs?: number;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** Hosts, as `host:port`, that may be asked although their addresses are not public or their ports not 80 and 443. Default none. */
  readonly trustedHosts?: readonly string[];
  /**
   * Milliseconds that it takes at least to tell that a host was not reached, whatever the cause: how long a name takes to resolve would
   * otherwise tell which names exist in the server's network. Default 500.
   */
  readonly minFailureMs?: number;
  /** DNS servers for hosts that are not trusted, as `address` or `address:port`. Default: those of the operating system. */
  readonly nameservers?: readonly string[];
}

/**
 * Fetches images from the web, and from nowhere else: http and https at their usual ports, and no address of this machine or of a
 * private, link-local or reserved network. Names are asked of DNS alone, except those of trusted hosts. A name is resolved once and the connection made to an address that was checked, so that a
 * name which answers otherwise the second time gains nothing; each redirect is checked like the first URL. No cookies, no credentials.
 * A name that does not exist, one with an address that may not be asked, and a host that refuses or does not answer are the same error.
 */
export function remoteImages(options: RemoteImagesOptions = {}): FetchImage {
  const { timeoutMs = 10_000, maxRedirects = 3, trustedHosts = [], minFailureMs = 500, nameservers } = options;
  const trusted = new Set(trustedHosts);
  return async (url, { signal, maxBytes, reserve }) => {
    const timely = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const began = performance.now();
    let hasAnswered = false;
    try {
      let at = new URL(url);
      for (let redirects = 0; ; redirects++) {
        const response = await ask(at, { trusted, nameservers, signal: timely });
        const next = redirectOf(response);
        hasAnswered = next === undefined;
        if (next === undefined) return await read(response, maxBytes, reserve);
        response.destroy();
        if (redirects >= maxRedirects) throw new Error(`it is redirected more than ${maxRedirects} times`);
        at = new URL(next, at);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RequestError) throw error;
      if (hasAnswered && timely.aborted) throw new Error(`it took longer than ${timeoutMs} ms`, { cause: error });
      if (!timely.aborted && !(error instanceof UnreachableHostError) && !isSystemError(error)) throw error;
      await sleep(minFailureMs - (performance.now() - began), signal);
      throw new Error(unreachable, { cause: error });
    }
  };
}

const unreachable = 'its host is not on the public internet, or could not be reached in time';

interface AskInit {
  readonly trusted: TrustedHosts;
  readonly nameservers: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

async function ask(url: URL, init: AskInit): Promise<IncomingMessage> {
  const lookup = await resolvePublicHost(url, init);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? httpRequest : httpsRequest)(
      url,
      { agent: false, lookup, signal: init.signal, headers: { accept: 'image/*', 'user-agent': 'modelwire' } },
      resolve,
    );
    request.on('error', reject);
    // Another protocol than was asked for: Node would close it without a word.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new RefusedUrlError('its server wants another protocol'));
    });
    request.on('close', () => reject(new RefusedUrlError('its server broke off')));
    request.end();
  });
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode === 200) return undefined;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) return headers.location;
  throw new RefusedUrlError(`its server answered ${statusCode}`);
}

async function read(
  response: IncomingMessage,
  maxBytes: number,
  reserve?: (bytes: number) => void,
): Promise<Uint8Array> {
  const image = createPieceBuffer();
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (image.length + piece.byteLength > maxBytes) throw new RefusedUrlError(`it is larger than ${maxBytes} bytes`);
    reserve?.(piece.byteLength);
    image.add(piece);
  }
  return image.join();
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
