import sharp from 'sharp';
import { expect, test } from 'vitest';
import { UnreadableImage, decode, spread } from './decode.ts';
import { side } from './network.ts';
import { gifOf, pictures, pixelsOf, pngOf } from './testing/pictures.ts';

const limits = { maxPixels: 1_000_000, frames: 4 };
const small = (create: { channels: 3 | 4; background: string }) =>
  sharp({ create: { width: 8, height: 8, ...create } });
const first = async (bytes: Uint8Array) => [...(await decode(bytes, limits))[0]!.subarray(0, 3)];

test("returns the pixels of an image of the model's own size unchanged", async () => {
  const { at } = pictures['a gradient'];
  const [pixels] = await decode(await pngOf(at), limits);
  expect(Buffer.from(pixels!).equals(Buffer.from(pixelsOf(at)))).toBe(true);
});

test('decodes PNG, JPEG, WebP and GIF, greyscale and transparent ones, with transparency on white', async () => {
  const red = small({ channels: 3, background: '#ff0000' });
  expect(await first(await red.clone().png().toBuffer())).toEqual([255, 0, 0]);
  expect(await first(await red.clone().webp({ lossless: true }).toBuffer())).toEqual([255, 0, 0]);
  expect(await first(await red.clone().gif().toBuffer())).toEqual([255, 0, 0]);
  expect((await first(await red.clone().jpeg().toBuffer()))[0]).toBeGreaterThan(250);
  const grey = await small({ channels: 3, background: '#808080' }).toColourspace('b-w').png().toBuffer();
  expect(await first(grey)).toEqual([128, 128, 128]);
  expect(await first(await small({ channels: 4, background: '#00000000' }).png().toBuffer())).toEqual([255, 255, 255]);
});

test('examines frames of an animation from first to last, up to the maximum', async () => {
  const reds = [0, 40, 80, 120, 160, 200, 240];
  const frames = await decode(await gifOf(reds.map((red) => [red, 0, 0])), { ...limits, frames: 3 });
  expect(frames.map((pixels) => pixels[0])).toEqual([0, 120, 240]);
  expect(frames.every(({ length }) => length === side * side * 3)).toBe(true);
  expect([spread(1, 4), spread(3, 4), spread(10, 4), spread(10, 1)]).toEqual([[0], [0, 1, 2], [0, 3, 6, 9], [0]]);
});

test('rejects corrupted, truncated, too large and unsupported images', async () => {
  const noise = await pngOf(pictures.noise.at);
  const damaged = Buffer.from(noise);
  damaged.fill(0, 200, 400);
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  for (const bytes of [noise.subarray(0, noise.length / 2), damaged, Buffer.from('text'), Buffer.alloc(0), svg]) {
    await expect(decode(bytes, limits)).rejects.toBeInstanceOf(UnreadableImage);
  }
  await expect(decode(noise, { ...limits, maxPixels: 100 })).rejects.toBeInstanceOf(UnreadableImage);
});
