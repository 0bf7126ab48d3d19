import { BlobMissingError } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { memoryBlobs } from './memory-blobs.ts';

async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test('bytes are stored under their key, read completely or in part, and deleted', async () => {
  const blobs = memoryBlobs();
  const read = async (range?: { start: number; end: number }) =>
    Buffer.concat(await Array.fromAsync(blobs.read('blob_a', range))).toString();
  expect(await blobs.write('blob_a', bytesOf('hello ', 'world'))).toBe(11);
  expect([await read(), await read({ start: 6, end: 8 })]).toEqual(['hello world', 'wo']);
  await expect(blobs.write('blob_a', bytesOf('again'))).rejects.toThrow('already');
  await expect(read({ start: 0, end: 12 })).rejects.toThrow(RangeError);
  await blobs.remove(['blob_a', 'blob_b']);
  await expect(read()).rejects.toThrow(BlobMissingError);
});

test('an aborted write leaves nothing, and a closed store rejects writes', async () => {
  const blobs = memoryBlobs();
  const disconnectSignal = new AbortController();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(3);
    disconnectSignal.abort(new Error('left'));
    await new Promise(() => undefined);
  }
  await expect(blobs.write('blob_a', slow(), { signal: disconnectSignal.signal })).rejects.toThrow('left');
  await expect(Array.fromAsync(blobs.read('blob_a'))).rejects.toThrow(BlobMissingError);
  await blobs.close();
  await expect(blobs.write('blob_a', bytesOf('x'))).rejects.toThrow('closed');
});
