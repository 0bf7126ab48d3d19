import type Sharp from 'sharp';
import { side } from './network.ts';
import { notInstalled } from './not-installed.ts';

/** The bytes are not a supported image. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
}

export interface DecodeLimits {
  readonly maxPixels: number;
  /** Frames of an animation, evenly distributed. */
  readonly frames: number;
}

/** The formats that the server accepts; sharp would also read SVG, TIFF and PDF. */
const formats: readonly string[] = ['png', 'jpeg', 'gif', 'webp'];

/** Seconds for one frame. */
const patience = 10;

/**
 * The frames of an image, each as 224 by 224 RGB pixels. Rotated by its EXIF data, with transparency on white.
 * @throws {UnreadableImage} for corrupted, truncated, too large or unsupported images.
 */
export async function decode(bytes: Uint8Array, { maxPixels, frames }: DecodeLimits): Promise<readonly Uint8Array[]> {
  const sharp = await loadSharp();
  try {
    const limits = { limitInputPixels: maxPixels, failOn: 'warning' } as const;
    const { format, pages = 1 } = await sharp(bytes, limits).metadata();
    if (!formats.includes(format)) throw new UnreadableImage('another format');
    const decoded: Uint8Array[] = [];
    for (const page of spread(pages, frames)) {
      const pixels = await sharp(bytes, { ...limits, page })
        .rotate()
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .resize(side, side, { fit: 'fill' })
        .removeAlpha()
        .timeout({ seconds: patience })
        .raw()
        .toBuffer({ resolveWithObject: true });
      decoded.push(ofThreeChannels(pixels.data, pixels.info.channels));
    }
    return decoded;
  } catch (cause) {
    throw new UnreadableImage('the image could not be decoded', { cause });
  }
}

/** Evenly distributed indices, including the first and the last. */
export function spread(pages: number, most: number): readonly number[] {
  const count = Math.min(pages, most);
  if (count === 1) return [0];
  return Array.from({ length: count }, (_, index) => Math.round((index * (pages - 1)) / (count - 1)));
}

/** Greyscale images have a single channel. */
function ofThreeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const pixels = new Uint8Array(side * side * 3);
  for (let at = 0; at < side * side; at++) pixels.fill(data[at * channels] ?? 0, at * 3, at * 3 + 3);
  return pixels;
}

// A type import only: nothing is loaded before the first image.
let loaded: typeof Sharp | undefined;

async function loadSharp(): Promise<typeof Sharp> {
  if (loaded) return loaded;
  try {
    loaded = (await import('sharp')).default;
  } catch (cause) {
    throw notInstalled('sharp', cause);
  }
  // Images come one at a time and rarely twice, so memory matters more than sharp's cache and concurrency.
  loaded.cache(false);
  loaded.concurrency(1);
  return loaded;
}
