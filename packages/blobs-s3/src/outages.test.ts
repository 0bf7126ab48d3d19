import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { answerOf, faultyStore, isRead } from './testing/faulty-proxy.ts';
import type { Fault, ReceivedRequest } from './testing/faulty-proxy.ts';
import { startS3rver } from './testing/servers.ts';

const outage = (cause: RegExp) => ({
  name: 'S3BlobsError',
  outage: { dependency: 's3', cause: expect.stringMatching(cause) as unknown },
});

async function openWithFault(fault: (request: ReceivedRequest) => Fault | undefined, timeoutMs = 1500) {
  const { options } = await faultyStore(fault);
  const blobs = await openS3Blobs({ ...options, attempts: 3, timeoutMs });
  onTestFinished(() => blobs.close());
  return blobs;
}

test('rejects with an outage that names s3 and the cause when the server is stopped', async () => {
  const server = await startS3rver();
  const blobs = await openS3Blobs({ ...server.options, attempts: 2 });
  onTestFinished(() => blobs.close());
  const key = blobKey();
  await blobs.write(key, generated(1000));
  await server.stop();
  await expect(collected(blobs.read(key))).rejects.toMatchObject(outage(/^connection refused \(ECONNREFUSED\)$/));
  await expect(blobs.write(blobKey(), generated(1000))).rejects.toMatchObject(outage(/^connection refused/));
  await expect(blobs.remove([key])).rejects.toMatchObject(outage(/^connection refused/));
  await expect(blobs.check()).rejects.toMatchObject(outage(/^connection refused/));
});

test('aborts every operation on a server that accepts requests and never responds', async () => {
  let frozen = false;
  const blobs = await openWithFault(() => (frozen ? { type: 'hang' } : undefined));
  const key = blobKey();
  await blobs.write(key, generated(1000));
  frozen = true;
  const timeout = outage(/^timeout \(UND_ERR_HEADERS_TIMEOUT\)$/);
  await Promise.all([
    expect(collected(blobs.read(key))).rejects.toMatchObject(timeout),
    expect(blobs.write(blobKey(), generated(1000))).rejects.toMatchObject(timeout),
    expect(blobs.write(blobKey(), generated(9 * 1024 * 1024))).rejects.toMatchObject(timeout),
    expect(blobs.remove([key])).rejects.toMatchObject(timeout),
    expect(blobs.check()).rejects.toMatchObject(timeout),
  ]);
  frozen = false;
  expect(await collected(blobs.read(key))).toHaveLength(1000);
});

test('resumes a read whose body stalls at the byte where it stalled', async () => {
  let stalls = 1;
  const blobs = await openWithFault((request) =>
    isRead(request) && stalls-- > 0 ? { type: 'stall', after: 300 } : undefined,
  );
  const key = blobKey();
  await blobs.write(key, generated(1000));
  expect(Buffer.compare(await collected(blobs.read(key)), await collected(generated(1000)))).toBe(0);
});

test('fails a read whose body stalls repeatedly without progress', async () => {
  const blobs = await openWithFault((request) => (isRead(request) ? { type: 'stall', after: 0 } : undefined));
  const key = blobKey();
  await blobs.write(key, generated(1000));
  await expect(collected(blobs.read(key))).rejects.toMatchObject(outage(/^(timeout|connection lost)/));
});

test('reports a server that answers 503 as unavailable, but not one that rejects the credentials', async () => {
  for (const [fault, expected] of [
    [answerOf(503, 'SlowDown'), outage(/^server returned 503 \(SlowDown\)$/)],
    [answerOf(500, 'InternalError'), outage(/^server returned 500/)],
    [answerOf(403, 'AccessDenied'), { name: 'S3BlobsError', outage: undefined }],
    [answerOf(507, 'XMinioStorageFull'), { name: 'S3BlobsError', outage: undefined, noSpace: true }],
  ] as const) {
    const blobs = await openWithFault(() => fault);
    await expect(blobs.write(blobKey(), generated(1000))).rejects.toMatchObject(expected);
  }
});

test('a write that takes longer than the timeout succeeds while bytes are transferred', async () => {
  // Long enough for a server on a busy machine to reply.
  const timeoutMs = 4_000;
  const blobs = await openWithFault(() => undefined, timeoutMs);
  async function* slow() {
    for (let piece = 0; piece < 4; piece++) {
      yield* generated(3 * 1024 * 1024);
      // Together longer than the timeout of one attempt: the source is slow, not the server.
      await new Promise((resolve) => setTimeout(resolve, timeoutMs / 3));
    }
  }
  const key = blobKey();
  expect(await blobs.write(key, slow())).toBe(12 * 1024 * 1024);
  expect(await collected(blobs.read(key))).toHaveLength(12 * 1024 * 1024);
});
