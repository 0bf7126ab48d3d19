/** Properties of an image. */
export interface ImageMetadata {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Reads type and size of an image from its header, without decoding it. Undefined for other formats than PNG, JPEG, GIF and WebP, and for an
 * image that is truncated before its size.
 */
export function readImageMetadata(bytes: Uint8Array): ImageMetadata | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
    return found && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // Reading past the end means that the image is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(view: DataView): ImageMetadata | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || view.getUint32(12) !== 0x49484452) {
    return undefined;
  }
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageMetadata | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageMetadata | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  const mediaType = 'image/webp';
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X: each a 24-bit number, less one
      return { mediaType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    case 0x5650384c: {
      // VP8L: two 14-bit numbers, each less one
      if (view.getUint8(20) !== 0x2f) return undefined;
      const bits = view.getUint32(21, true);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503820: // VP8, with a space: a start code, then 14 bits each
      if (uint24(view, 23) !== 0x2a019d) return undefined;
      return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Skips segments up to the one with the size. */
function jpeg(view: DataView): ImageMetadata | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++; // fill bytes
      continue;
    }
    const isSize = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isSize) return { mediaType: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    // Image data or the end of the image before any size.
    if (marker === 0xd9 || marker === 0xda) return undefined;
    const length = hasNoLength ? 0 : view.getUint16(at + 2);
    if (!hasNoLength && length < 2) return undefined;
    at += 2 + length;
  }
}
