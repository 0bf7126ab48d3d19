// A separate entry point (`@modelwire/server/remote-videos`): it needs Node's sockets and resolver.
import { VideoError, VideoRetry } from '@modelwire/ports';
import { publicFetcher } from './images/public-fetcher.ts';
import type { PublicFetcherOptions } from './images/public-fetcher.ts';
import { RefusedUrlError, UnreachableHostError } from './images/public-host.ts';

const connectTimeoutMs = 10_000;

export interface RemoteVideo {
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Downloads videos that a model server has stored elsewhere, from the public internet and from trusted hosts only.
 *
 * The download rejects with a `VideoError`, which is a `VideoRetry` if the host could not be reached.
 */
export function remoteVideos(
  options: PublicFetcherOptions = {},
): (url: string, init: { readonly signal: AbortSignal }) => Promise<RemoteVideo> {
  const fetchPublic = publicFetcher(connectTimeoutMs, options);
  return async (url, { signal }) => {
    try {
      return await fetchPublic(url, {
        ...{ accept: 'video/*', signal },
        read({ headers, body }) {
          // Aborting emits an error that must not end the process.
          body.on('error', () => undefined);
          return { mediaType: String(headers['content-type'] ?? 'video/mp4'), bytes: body };
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      const { message, cause } = error instanceof Error ? error : new Error(String(error));
      const isFinal = error instanceof RefusedUrlError || cause instanceof UnreachableHostError;
      const why = `The video could not be downloaded from where the model server stored it: ${message}.`;
      if (isFinal) throw new VideoError('video_not_downloaded', why, { cause: error });
      throw new VideoRetry('video_not_downloaded', why, { cause: error });
    }
  };
}
