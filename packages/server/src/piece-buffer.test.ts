import { expect, test } from 'vitest';
import { createPieceBuffer } from './piece-buffer.ts';

test('100,000 pieces of one byte are held in a few blocks of at most twice their size', () => {
  const buffer = createPieceBuffer();
  const sent = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  for (let at = 0; at < sent.length; at++) buffer.add(sent.subarray(at, at + 1));
  expect(buffer.length).toBe(100_000);
  expect(buffer.blockCount).toBeLessThan(12);
  expect(Buffer.compare(buffer.join(), sent)).toBe(0);
});

test('small and large pieces in turn are joined in order', () => {
  const buffer = createPieceBuffer();
  const pieces = [3, 0, 70_000, 1, 1, 200_000, 1, 65_536, 2].map((length, index) => new Uint8Array(length).fill(index));
  for (const piece of pieces) buffer.add(piece);
  expect(buffer.blockCount).toBeLessThanOrEqual(pieces.length);
  expect(Buffer.compare(buffer.join(), Buffer.concat(pieces))).toBe(0);
});

test('a single piece is not copied, and no pieces are no bytes', () => {
  const piece = Uint8Array.of(1, 2, 3);
  const buffer = createPieceBuffer();
  expect(buffer.join()).toHaveLength(0);
  buffer.add(piece);
  expect(buffer.join()).toBe(piece);
});

test('no buffer has accessors of its own: V8 keeps the hidden class of each such object until the next full collection', () => {
  const own = Object.getOwnPropertyDescriptors(createPieceBuffer());
  expect(Object.values(own).filter(({ get }) => get !== undefined)).toEqual([]);
});
