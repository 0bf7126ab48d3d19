import { expect, test } from 'vitest';
import { ChunkBuffer } from './chunk-buffer.ts';

test('stores 100,000 chunks of one byte in a few blocks', () => {
  const buffer = new ChunkBuffer();
  const sent = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  for (let index = 0; index < sent.length; index++) buffer.add(sent.subarray(index, index + 1));
  expect(buffer.length).toBe(100_000);
  expect(buffer.blockCount).toBeLessThan(12);
  expect(Buffer.compare(buffer.join(), sent)).toBe(0);
});

test('joins small and large chunks in order', () => {
  const buffer = new ChunkBuffer();
  const chunks = [3, 0, 70_000, 1, 1, 200_000, 1, 65_536, 2].map((length, index) => new Uint8Array(length).fill(index));
  for (const chunk of chunks) buffer.add(chunk);
  expect(buffer.blockCount).toBeLessThanOrEqual(chunks.length);
  expect(Buffer.compare(buffer.join(), Buffer.concat(chunks))).toBe(0);
});

test('does not copy a single chunk, and joins no chunks to an empty array', () => {
  const chunk = Uint8Array.of(1, 2, 3);
  const buffer = new ChunkBuffer();
  expect(buffer.join()).toHaveLength(0);
  buffer.add(chunk);
  expect(buffer.join()).toEqual(chunk);
  expect(buffer.join().buffer).toBe(chunk.buffer);
});

test('keeps chunks of 64 KiB until they are joined', () => {
  const buffer = new ChunkBuffer();
  const chunks = [1, 2, 3].map((value) => new Uint8Array(64 * 1024).fill(value));
  const [first, ...others] = chunks;
  if (!first) throw new Error('there is no chunk');
  // The second one is split across the block that follows the first.
  const added = [first, Uint8Array.of(9), ...others];
  for (const chunk of added) buffer.add(chunk);
  expect(Buffer.compare(buffer.join(), Buffer.concat(added))).toBe(0);
  const before = process.memoryUsage().arrayBuffers;
  const large = new ChunkBuffer();
  for (let count = 0; count < 1000; count++) large.add(first);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * first.byteLength);
  expect(large.length).toBe(1000 * first.byteLength);
});
