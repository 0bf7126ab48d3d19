import { isDataUrl } from '@modelwire/schema/internal';
import { readInlineData } from '../data-url.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import { RequestError, invalid, unsupportedValue } from '../../errors.ts';
import { readImageMetadata } from '@modelwire/adapter-kit/media';

interface ImageLimits {
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

/** The request that loads an input, and the memory for it, which the caller releases. */
export interface InputLoading {
  readonly call: Pick<Call, 'client' | 'principal'>;
  readonly server: ServerContext;
  readonly memory: ByteReservation;
}

/**
 * The bytes of an image URL of the API with their actual type, checked to be an image of limited size.
 *
 * @param param Names the part in errors.
 * @throws a 400 that names the part, a 503 if there is not enough memory for an image that is fetched.
 */
export async function readImage(
  url: string,
  param: string,
  loading: InputLoading,
  limits = imageLimits,
): Promise<LoadedImage> {
  const bytes = isDataUrl(url) ? readInlineData(url).bytes : await fetchBytes(url, param, loading, limits);
  return checkImage(bytes, param, limits);
}

/** Checks an image that is already in memory. @throws a 400 that names the part. */
export function checkImage(bytes: Uint8Array, param: string, limits: ImageLimits = imageLimits): LoadedImage {
  if (bytes.byteLength > limits.maxBytes) throw imageTooLarge(param, limits.maxBytes);
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
  param: string,
  { call, server, memory }: InputLoading,
  { maxBytes }: ImageLimits,
): Promise<Uint8Array> {
  const { fetchImage } = server.options;
  const { signal } = call.client;
  if (!fetchImage) {
    throw unsupportedValue(
      param,
      `Invalid value for '${param}': this server does not fetch images. Send it as a data URL.`,
    );
  }
  let bytes: Uint8Array;
  let reserved = 0;
  const reserve = (length: number): void => {
    memory.acquireNow(length);
    reserved += length;
  };
  const release = await server.imageFetchQueue.acquire('default', signal);
  try {
    bytes = await fetchImage(url, { signal, maxBytes, reserve });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError) throw error;
    const reason = error instanceof Error ? error.message : 'the download failed';
    throw invalid(param, `The image in '${param}' could not be fetched: ${reason}.`, 'image_not_fetched');
  } finally {
    release();
  }
  if (bytes.byteLength > maxBytes) throw imageTooLarge(param, maxBytes);
  // Another `fetchImage` may not have reserved them.
  if (bytes.byteLength > reserved) memory.acquireNow(bytes.byteLength - reserved);
  return bytes;
}

export function imageTooLarge(param: string, maxBytes: number): RequestError {
  return invalid(param, `Invalid image in '${param}': it is larger than ${maxBytes} bytes.`, 'image_too_large');
}
