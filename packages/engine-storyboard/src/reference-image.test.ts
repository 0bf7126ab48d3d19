import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeReference } from './reference-image.ts';

const limit = 1_000_000;

function picture(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  for (let at = 0; at < 40; at++) {
    ctx.fillStyle = `hsl(${at * 9} 80% 50%)`;
    ctx.fillRect((at % 8) * (width / 8), Math.floor(at / 8) * (height / 5), width / 8, height / 5);
  }
  return canvas;
}
const types = ['png', 'jpeg', 'webp'] as const;
const encoded = (type: (typeof types)[number], width = 90, height = 70): Promise<Buffer> => {
  const canvas = picture(width, height);
  return type === 'png' ? canvas.encode('png') : type === 'jpeg' ? canvas.encode('jpeg') : canvas.encode('webp');
};

test.each(types)('decodes a %s', async (type) => {
  const bytes = await encoded(type);
  const image = await decodeReference(bytes, limit);
  expect([image.width, image.height]).toEqual([90, 70]);
});

test.each(types)('rejects a %s that is truncated at any position', async (type) => {
  const bytes = await encoded(type);
  for (const part of [0, 0.1, 0.5, 0.9]) {
    await expect(decodeReference(bytes.subarray(0, Math.floor(bytes.length * part)), limit)).rejects.toMatchObject({
      name: 'VideoError',
      code: 'invalid_input_reference',
    });
  }
});

test('rejects a small file whose header declares a huge image, before decoding it', async () => {
  const bytes = Buffer.from(await encoded('png', 4, 4));
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  await expect(decodeReference(bytes, 25_000_000)).rejects.toThrow(/60000x60000 pixels; the maximum is 25000000/);
});

test('rejects an image with more pixels than the limit', async () => {
  await expect(decodeReference(await encoded('jpeg', 200, 100), 19_999)).rejects.toMatchObject({
    code: 'invalid_input_reference',
  });
});

test.each(['', 'not an image', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'GIF89a'])(
  'rejects other types: %j',
  async (text) => {
    await expect(decodeReference(Buffer.from(text), limit)).rejects.toMatchObject({ code: 'invalid_input_reference' });
  },
);

test('returns an image within the limit or a documented error, for any bytes', async () => {
  const whole = await Promise.all(types.map((type) => encoded(type)));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 6 }),
      async (bytes, changes) => {
        const damaged = Buffer.from(bytes);
        for (const [at, byte] of changes) if (at < damaged.length) damaged[at] = byte;
        const result = await decodeReference(damaged, limit).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toMatchObject({ code: 'invalid_input_reference' });
        else expect(result).toMatchObject({ width: expect.any(Number) as number });
      },
    ),
    { numRuns: 60 },
  );
});
