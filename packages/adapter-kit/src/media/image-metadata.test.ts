import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageHeads } from '@modelwire/ports/testing';
import { readImageMetadata } from './image-metadata.ts';

test.each(Object.entries(imageHeads))('%s: reads type and size from the header', (mediaType, head) => {
  expect(readImageMetadata(head(640, 480))).toEqual({ mediaType, width: 640, height: 480 });
  expect(readImageMetadata(head(16_000, 9000))).toEqual({ mediaType, width: 16_000, height: 9000 });
});

test('WebP without extensions: lossy and lossless', () => {
  const lossy = Buffer.from('52494646000000005745425056503820000000000000009d012a80022001', 'hex');
  expect(readImageMetadata(lossy)).toEqual({ mediaType: 'image/webp', width: 640, height: 288 });
  // 14 bits each, less one: 99 and 49.
  const lossless = Buffer.from('5249464600000000574542505650384c000000002f63400c00', 'hex');
  expect(readImageMetadata(lossless)).toEqual({ mediaType: 'image/webp', width: 100, height: 50 });
});

test('finds the size of a JPEG after other segments, fill bytes and standalone markers', () => {
  expect(readImageMetadata(Buffer.from('ffd8ffe10004abcdffd0ffffc2001108001000200301', 'hex'))).toEqual({
    mediaType: 'image/jpeg',
    width: 32,
    height: 16,
  });
});

test.each([
  ['nothing', ''],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">').toString('hex')],
  ['a PDF', Buffer.from('%PDF-1.7 and so on and so on').toString('hex')],
  ['a PNG without a head', '89504e470d0a1a0a0000000d49444154ffffffffffffffff'],
  ['a JPEG whose pixels come before its size', 'ffd8ffda0008000000000000ffc0001108001000200301'],
  ['a JPEG with a segment of no length', 'ffd8ffe00000ffc0001108001000200301'],
  ['an image of no width', Buffer.from(imageHeads['image/png'](0, 5)).toString('hex')],
])('%s is not an image', (_, hex) => {
  expect(readImageMetadata(Buffer.from(hex, 'hex'))).toBeUndefined();
});

describe('any bytes', () => {
  const heads = fc
    .tuple(fc.constantFrom(...Object.values(imageHeads)), fc.nat(300), fc.nat(2))
    .map(([head, width, height]) => head(width, height));

  test('are an image with pixels, or none', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc
        .tuple(heads, fc.nat(40), fc.uint8Array({ maxLength: 30 }))
        .map(([head, length, tail]) => Buffer.concat([head.subarray(0, length), tail])),
    );
    fc.assert(
      fc.property(bytes, (image) => {
        const { width = 1, height = 1 } = readImageMetadata(image) ?? {};
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('of an image that is truncated anywhere have its size, or none', () => {
    fc.assert(
      fc.property(heads, fc.nat(40), (head, length) => {
        expect([undefined, readImageMetadata(head)]).toContainEqual(readImageMetadata(head.subarray(0, length)));
      }),
    );
  });
});
