import { isDataUrl } from '@modelwire/schema';
import { readInlineData } from '../data-url.ts';
import type { TieredQueue } from '../../limits/tiered-queue.ts';
import type { FetchImage } from '../../options/types.ts';
import { RequestError, invalid, unsupportedValue } from '../../errors.ts';
import { readImageMetadata } from '@modelwire/adapter-kit/media';

export interface ImageLimits {
  /** Default 20 MiB. */
  readonly maxBytes: number;
  /** Width times height. Default 50 million. */
  readonly maxPixels: number;
}

export const imageLimits: ImageLimits = { maxBytes: 20 * 1024 * 1024, maxPixels: 50_000_000 };

export interface LoadedImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

interface ReadInit {
  /** Names the part in errors. */
  readonly param: string;
  readonly signal: AbortSignal;
  /** Undefined if images are not fetched. */
  readonly fetchImage: FetchImage | undefined;
  /** Reserves memory for fetched bytes; the caller releases it. @throws a 503 if there is not enough. */
  readonly reserve: (bytes: number) => void;
  /** Limits concurrent fetches. */
  readonly queue: TieredQueue;
  readonly limits?: ImageLimits;
}

/**
 * The bytes of an image URL of the API with their actual type, checked to be an image of limited size.
 *
 * @throws a 400 that names the part.
 */
export async function readImage(url: string, init: ReadInit): Promise<LoadedImage> {
  const { param, limits = imageLimits } = init;
  const bytes = isDataUrl(url) ? readInlineData(url).bytes : await fetchBytes(url, { ...init, limits });
  return checkImage(bytes, param, limits);
}

/** Checks an image that is already in memory. @throws a 400 that names the part. */
export function checkImage(bytes: Uint8Array, param: string, limits: ImageLimits = imageLimits): LoadedImage {
  if (bytes.byteLength > limits.maxBytes) throw tooLarge(param, limits.maxBytes);
  const properties = readImageMetadata(bytes);
  if (!properties) {
    throw invalid(
      param,
      `Invalid image in '${param}': the bytes are not a PNG, JPEG, GIF or WebP image.`,
      'invalid_image',
    );
  }
  const { width, height, mediaType } = properties;
  if (width * height > limits.maxPixels) {
    throw invalid(
      param,
      `Invalid image in '${param}': ${width}x${height} pixels; at most ${limits.maxPixels} in total are allowed.`,
      'image_too_large',
    );
  }
  return { mediaType, bytes };
}

async function fetchBytes(
  url: string,
  { param, signal, fetchImage, reserve, queue, limits: { maxBytes } }: ReadInit & { readonly limits: ImageLimits },
): Promise<Uint8Array> {
  if (!fetchImage) {
    throw unsupportedValue(
      param,
      `Invalid value for '${param}': this server does not fetch images. Send it as a data URL.`,
    );
  }
  let bytes: Uint8Array;
  let reserved = 0;
  const reservePiece = (length: number): void => {
    reserve(length);
    reserved += length;
  };
  const release = await queue.acquire('default', signal);
  try {
    bytes = await fetchImage(url, { signal, maxBytes, reserve: reservePiece });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError) throw error;
    const reason = error instanceof Error ? error.message : 'the download failed';
    throw invalid(param, `The image in '${param}' could not be fetched: ${reason}.`, 'image_not_fetched');
  } finally {
    release();
  }
  if (bytes.byteLength > maxBytes) throw tooLarge(param, maxBytes);
  // Another `fetchImage` may not have reserved them.
  if (bytes.byteLength > reserved) reserve(bytes.byteLength - reserved);
  return bytes;
}

function tooLarge(param: string, maxBytes: number): RequestError {
  return invalid(param, `Invalid image in '${param}': it is larger than ${maxBytes} bytes.`, 'image_too_large');
}
