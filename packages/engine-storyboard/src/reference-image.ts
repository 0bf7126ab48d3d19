import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Image } from '@napi-rs/canvas';
import { readImageMetadata } from '@modelwire/adapter-kit/media';
import { checkpointPrefix, invalidReference } from './protocol.ts';

/** Pixels on the longer side of the copy for remixes. */
const maxStoredSide = 384;

/** Decodes the reference image. Checks the size in its header first, because a small file can contain a huge image. */
export async function decodeReference(bytes: Uint8Array, maxPixels: number): Promise<Image> {
  const declared = readImageMetadata(bytes);
  if (!declared || !isComplete(bytes, declared.mediaType))
    throw invalidReference('it is not a complete PNG, JPEG or WebP image');
  const { width, height } = declared;
  if (width * height > maxPixels)
    throw invalidReference(`it has ${width}x${height} pixels; the maximum is ${maxPixels}`);
  const image = await loadImage(bytes).catch(() => {
    throw invalidReference('it is damaged');
  });
  // The orientation of a photo can swap the two.
  const isUpright = image.width === width && image.height === height;
  if (!isUpright && (image.width !== height || image.height !== width)) throw invalidReference('it is damaged');
  return image;
}

/** Whether a file has its end: the decoder shows the rest of a truncated one as grey. */
function isComplete(bytes: Uint8Array, mediaType: string): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (mediaType) {
    case 'image/png':
      return file.subarray(-256).includes('IEND');
    case 'image/jpeg':
      return file.subarray(-1024).includes(Buffer.from([0xff, 0xd9]));
    case 'image/webp':
      return file.readUInt32LE(4) + 8 <= file.length + 1;
    default:
      return false;
  }
}

/** A small copy of the image, encoded as text. */
export async function encodeCheckpoint(image: Image): Promise<string> {
  const scale = Math.min(1, maxStoredSide / Math.max(image.width, image.height));
  const sideOf = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const canvas = createCanvas(sideOf(image.width), sideOf(image.height));
  const ctx = canvas.getContext('2d');
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
  return checkpointPrefix + (await canvas.encode('webp', 70)).toString('base64');
}
