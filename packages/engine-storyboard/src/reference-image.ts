import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Image } from '@napi-rs/canvas';
import { invalidReference } from './invalid-reference.ts';

/** Pixels on the longer side of the copy for remixes. */
const maxStoredSide = 384;

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Decodes the reference image. Checks the size in its header first, because a small file can contain a huge image. */
export async function decodeReference(bytes: Uint8Array, maxPixels: number): Promise<Image> {
  const declared = dimensionsOf(bytes);
  if (!declared || declared.width === 0 || declared.height === 0)
    throw invalidReference('it is not a complete PNG, JPEG or WebP image');
  if (declared.width * declared.height > maxPixels) {
    throw invalidReference(
      `it has ${String(declared.width)}x${String(declared.height)} pixels; the maximum is ${String(maxPixels)}`,
    );
  }
  let image: Image;
  try {
    image = await loadImage(bytes);
  } catch {
    throw invalidReference('it is damaged');
  }
  if (image.width !== declared.width || image.height !== declared.height) {
    // Applies the orientation of photos.
    if (image.width !== declared.height || image.height !== declared.width) throw invalidReference('it is damaged');
  }
  return image;
}

/** A small copy of the image, encoded as text. */
export async function encodeCheckpoint(image: Image): Promise<string> {
  const scale = Math.min(1, maxStoredSide / Math.max(image.width, image.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const ctx = canvas.getContext('2d');
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
  const bytes = await canvas.encode('webp', 70);
  return JSON.stringify({ version: 1, reference: bytes.toString('base64') });
}

/** Width and height from the header of a file. `undefined` if it is not PNG, JPEG or WebP, or is truncated. */
export function dimensionsOf(bytes: Uint8Array): Dimensions | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  try {
    if (view.getUint32(0) === 0x89504e47 && tag(12) === 'IHDR') return pngSize(bytes, view);
    if (view.getUint16(0) === 0xffd8) return jpegSize(bytes, view);
    if (tag(0) === 'RIFF' && tag(8) === 'WEBP') return webpSize(view, tag(12));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function pngSize(bytes: Uint8Array, view: DataView): Dimensions | undefined {
  // A truncated file, which the decoder would show as grey.
  const end = String.fromCharCode(...bytes.subarray(Math.max(0, bytes.length - 256)));
  return end.includes('IEND') ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
}

function jpegSize(bytes: Uint8Array, view: DataView): Dimensions | undefined {
  const tail = bytes.subarray(Math.max(2, bytes.length - 1024));
  if (!tail.some((byte, at) => byte === 0xff && tail[at + 1] === 0xd9)) return undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // All start-of-frame markers; the three excluded ones are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(view: DataView, kind: string): Dimensions | undefined {
  if (view.getUint32(4, true) + 8 > view.byteLength + 1) return undefined;
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (kind === 'VP8X') return { width: three(24) + 1, height: three(27) + 1 };
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}
