import sharp from 'sharp';
import { side } from '../network.ts';

type Colour = readonly [red: number, green: number, blue: number];

/**
 * Scores of these pictures by TensorFlow.js 4.22 with the same weights, measured once: drawing, hentai, neutral, porn, sexy.
 */
export const pictures = {
  'a gradient': {
    at: (i: number): Colour => [i % side, Math.floor(i / side), 128],
    says: [0.90814, 0.01903, 0.06878, 0.00324, 0.00081],
  },
  'a plain colour': { at: (): Colour => [220, 170, 150], says: [0.85994, 0.02441, 0.10725, 0.007, 0.00141] },
  noise: {
    at: (i: number): Colour => [(i * 7919) % 256, (i * 104729) % 256, (i * 1299709) % 256],
    says: [0.17366, 0.01087, 0.80277, 0.01103, 0.00166],
  },
} as const;

export function pixelsOf(at: (index: number) => Colour, count = side * side): Uint8Array {
  const pixels = new Uint8Array(count * 3);
  for (let index = 0; index < count; index++) pixels.set(at(index), index * 3);
  return pixels;
}

export function pngOf(at: (index: number) => Colour): Promise<Buffer> {
  return sharp(pixelsOf(at), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

/** An animation of plain frames. */
export function gifOf(colours: readonly Colour[]): Promise<Buffer> {
  const size = 16;
  const pixels = pixelsOf((i) => colours[Math.floor(i / size / size)] ?? [0, 0, 0], size * size * colours.length);
  return sharp(pixels, { raw: { width: size, height: size * colours.length, channels: 3, pageHeight: size } })
    .gif()
    .toBuffer();
}
