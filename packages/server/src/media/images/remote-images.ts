// A separate entry point (`@modelwire/server/remote-images`): it needs Node's sockets and resolver.
import type { Dispatcher } from 'undici';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';
import type { FetchImage } from '../../options/types.ts';
import { publicFetcher } from './public-fetcher.ts';
import type { PublicFetcherOptions } from './public-fetcher.ts';
import { RefusedUrlError } from './public-host.ts';

export interface RemoteImagesOptions extends PublicFetcherOptions {
  /** Milliseconds for all of it, redirects included. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Fetches images from the public internet, and from trusted hosts only. */
export function remoteImages(options: RemoteImagesOptions = {}): FetchImage {
  const { timeoutMs = 10_000 } = options;
  const fetchPublic = publicFetcher(timeoutMs, options);
  return (url, { signal, maxBytes, reserve }) =>
    fetchPublic(url, {
      ...{ accept: 'image/*', signal, timeoutMs },
      read: (response) => read(response, maxBytes, reserve),
    });
}

async function read(
  { body }: Dispatcher.ResponseData,
  maxBytes: number,
  reserve?: (bytes: number) => void,
): Promise<Uint8Array> {
  const image = new ChunkBuffer();
  for await (const piece of body as AsyncIterable<Buffer>) {
    if (image.length + piece.byteLength > maxBytes) throw new RefusedUrlError(`it is larger than ${maxBytes} bytes`);
    reserve?.(piece.byteLength);
    image.add(piece);
  }
  return image.join();
}
