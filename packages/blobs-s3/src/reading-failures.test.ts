import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { answerOf, faultyStore, isRead } from './testing/faulty-proxy.ts';
import type { Fault, ReceivedRequest } from './testing/faulty-proxy.ts';

const bytes = 1_000_000;

/** With a blob under `key`; a fault affects its reads. */
async function openWithFault(fault: (read: number, request: ReceivedRequest) => Fault | undefined, timeoutMs = 30_000) {
  const key = blobKey();
  let reads = 0;
  const ofKey = (request: ReceivedRequest) => isRead(request) && request.path.endsWith(key);
  const { options, received } = await faultyStore((request) => (ofKey(request) ? fault(++reads, request) : undefined));
  const blobs = await openS3Blobs({ ...options, attempts: 3, timeoutMs });
  await blobs.write(key, generated(bytes));
  return { blobs, key, ranges: () => received.filter(ofKey).map(({ headers }) => headers.range) };
}

const content = await collected(generated(bytes));

test('resumes a read after each broken connection at the byte where it broke', async () => {
  const { blobs, key, ranges } = await openWithFault((read) =>
    read <= 5 ? { type: 'cut', after: 150_000 } : undefined,
  );
  expect(Buffer.compare(await collected(blobs.read(key)), content)).toBe(0);
  expect(ranges()).toEqual([undefined, ...[1, 2, 3, 4, 5].map((n) => `bytes=${150_000 * n}-${bytes - 1}`)]);
  await blobs.close();
});

test('resumes a range read at the byte where the connection broke', async () => {
  const { blobs, key, ranges } = await openWithFault((read) => (read === 1 ? { type: 'cut', after: 1000 } : undefined));
  const range = { start: 500, end: 5000 };
  expect(Buffer.compare(await collected(blobs.read(key, range)), content.subarray(500, 5000))).toBe(0);
  expect(ranges()).toEqual(['bytes=500-4999', 'bytes=1500-4999']);
  await blobs.close();
});

test('a read without progress fails after the bytes that were received', async () => {
  const { blobs, key, ranges } = await openWithFault((read) => ({ type: 'cut', after: read === 1 ? 1000 : 0 }));
  let receivedBytes = 0;
  const read = async () => {
    for await (const piece of blobs.read(key)) receivedBytes += piece.length;
  };
  await expect(read()).rejects.toMatchObject({ name: 'S3BlobsError', code: 'ConnectionLost' });
  expect(receivedBytes).toBe(1000);
  expect(ranges().length).toBeGreaterThanOrEqual(3);
  await blobs.close();
});

test('retries a read while the server is unavailable', async () => {
  for (const fault of [answerOf(503, 'SlowDown'), { type: 'drop' }, { type: 'hang' }] satisfies Fault[]) {
    const { blobs, key } = await openWithFault(
      (read) => (read <= 2 ? fault : undefined),
      fault.type === 'hang' ? 2000 : undefined,
    );
    expect(await collected(blobs.read(key))).toHaveLength(bytes);
    await blobs.close();
  }
});

test('a missing bucket is not reported as a missing key', async () => {
  const { blobs, key } = await openWithFault(() => answerOf(404, 'NoSuchBucket'));
  const failure = { name: 'S3BlobsError', code: 'NoSuchBucket', status: 404 };
  await expect(collected(blobs.read(key))).rejects.toMatchObject(failure);
  await blobs.close();
});

test('rejects the response of a server that ignores the range', async () => {
  const { blobs, key } = await openWithFault(() => ({ type: 'answer', status: 200, body: 'x'.repeat(bytes) }));
  const outcome = collected(blobs.read(key, { start: 10, end: 20 }));
  await expect(outcome).rejects.toMatchObject({ name: 'S3BlobsError', code: 'WrongRange' });
  await blobs.close();
});
