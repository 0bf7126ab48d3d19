import { BlobMissingError } from '@modelwire/ports';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import {
  answerOf,
  faultyStore,
  isAbortUpload,
  isComplete,
  isPart,
  isWholeObject,
  times,
} from './testing/faulty-proxy.ts';
import type { Fault, ReceivedRequest } from './testing/faulty-proxy.ts';

const mib = 1024 * 1024;

async function openWithFault(fault: (request: ReceivedRequest) => Fault | undefined, timeoutMs = 30_000) {
  const { options, received } = await faultyStore(fault);
  const blobs = await openS3Blobs({ ...options, attempts: 3, timeoutMs });
  const count = (is: (request: ReceivedRequest) => boolean) => received.filter(is).length;
  const length = async (key: string) => (await collected(blobs.read(key))).length;
  return { blobs, count, length, received };
}

const passing: Fault[] = [
  answerOf(500, 'InternalError'),
  answerOf(503, 'SlowDown'),
  answerOf(429, 'TooManyRequests'),
  answerOf(400, 'RequestTimeout'),
  { type: 'answer', status: 502 },
  { type: 'drop' },
  { type: 'lose' },
  { type: 'hang' },
];

test('retries a request after temporary failures', async () => {
  for (const fault of passing) {
    const { blobs, count, length } = await openWithFault(
      times(2, fault, isWholeObject),
      fault.type === 'hang' ? 2000 : undefined,
    );
    const key = blobKey();
    await blobs.write(key, generated(1000));
    expect(count(isWholeObject)).toBe(3);
    expect(await length(key)).toBe(1000);
    await blobs.close();
  }
});

test('retries only the failed part of a multipart upload', async () => {
  const second = (request: ReceivedRequest) => isPart(request) && request.query.get('partNumber') === '2';
  const { blobs, count, length } = await openWithFault(times(1, { type: 'drop' }, second));
  const key = blobKey();
  await blobs.write(key, generated(30 * mib));
  expect([count(isPart), count(second)]).toEqual([5, 2]);
  expect(await length(key)).toBe(30 * mib);
  await blobs.close();
});

test('a permanent failure rejects with its cause and leaves nothing', async () => {
  for (const is of [isWholeObject, isPart, isComplete]) {
    const { blobs, count, length } = await openWithFault((request) =>
      is(request) ? answerOf(503, 'SlowDown') : undefined,
    );
    const key = blobKey();
    const written = blobs.write(key, generated(is === isWholeObject ? 1000 : 20 * mib));
    const failure = { name: 'S3BlobsError', code: 'SlowDown', status: 503 };
    await expect(written).rejects.toMatchObject(failure);
    expect(count(is)).toBeGreaterThanOrEqual(3);
    if (is !== isWholeObject) expect(count(isAbortUpload)).toBeGreaterThan(0);
    await expect(length(key)).rejects.toThrow(BlobMissingError);
    await blobs.close();
  }
});

test('does not retry permanent failures', async () => {
  for (const [status, code] of [
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
    [400, 'EntityTooLarge'],
  ] as const) {
    const { blobs, count } = await openWithFault((request) =>
      isWholeObject(request) ? answerOf(status, code) : undefined,
    );
    await expect(blobs.write(blobKey(), generated(10))).rejects.toMatchObject({ code, status });
    expect(count(isWholeObject)).toBe(1);
    await blobs.close();
  }
});

test('a failed part closes a pending source', async () => {
  const { blobs, count } = await openWithFault((request) =>
    isPart(request) ? answerOf(403, 'AccessDenied') : undefined,
  );
  async function* waiting() {
    yield* generated(9 * mib);
    await new Promise(() => undefined);
  }
  await expect(blobs.write(blobKey(), waiting())).rejects.toMatchObject({ code: 'AccessDenied' });
  expect(count(isAbortUpload)).toBeGreaterThan(0);
  await blobs.close();
});

test.each([
  ['when the retry of a write', isWholeObject, 412, 'PreconditionFailed', 1000],
  ['when the retry of the request that completes a multipart upload', isComplete, 404, 'NoSuchUpload', 9 * mib],
] as const)(
  'recognizes its own object by its mark %s with a lost response is refused',
  async (_, isRequest, status, code, size) => {
    let tries = 0;
    const { blobs, length } = await openWithFault((request) => {
      if (!isRequest(request)) return undefined;
      return ++tries === 1 ? { type: 'lose' } : answerOf(status, code);
    });
    const key = blobKey();
    expect(await blobs.write(key, generated(size))).toBe(size);
    expect(tries).toBe(2);
    expect(await length(key)).toBe(size);
    await blobs.close();
  },
);

test('removes the object of a write whose responses were all lost', async () => {
  const { blobs, length } = await openWithFault((request) => (isWholeObject(request) ? { type: 'lose' } : undefined));
  const key = blobKey();
  await expect(blobs.write(key, generated(1000))).rejects.toMatchObject({ name: 'S3BlobsError', status: undefined });
  await expect(length(key)).rejects.toThrow(BlobMissingError);
  await blobs.close();
});

test('does not remove the object of another write under the same key', async () => {
  for (const second of [answerOf(412, 'PreconditionFailed'), answerOf(500, 'InternalError')]) {
    let refuse = false;
    let tries = 0;
    const { blobs, length } = await openWithFault((request) => {
      if (!refuse || !isWholeObject(request)) return undefined;
      return ++tries === 1 ? { type: 'drop' } : second;
    });
    const key = blobKey();
    await blobs.write(key, generated(1000));
    refuse = true;
    await expect(blobs.write(key, generated(5))).rejects.toThrow(key);
    expect(tries).toBeGreaterThan(1);
    expect(await length(key)).toBe(1000);
    await blobs.close();
  }
});

test('repeats completing a multipart upload that the server started and failed', async () => {
  const fault: Fault = { type: 'answer', status: 200, body: '\n \n<Error><Code>InternalError</Code></Error>' };
  const { blobs, count, length } = await openWithFault(times(1, fault, isComplete));
  const key = blobKey();
  await blobs.write(key, generated(9 * mib));
  expect(count(isComplete)).toBe(2);
  expect(await length(key)).toBe(9 * mib);
  await blobs.close();
});

test('omits conditional headers after a server has rejected them', async () => {
  const conditional = ({ headers }: ReceivedRequest) => headers['if-none-match'] === '*';
  const { blobs, count, length } = await openWithFault((request) =>
    conditional(request) ? answerOf(501, 'NotImplemented') : undefined,
  );
  const keys = [blobKey(), blobKey()];
  for (const key of keys) await blobs.write(key, generated(10));
  expect([count(conditional), count(isWholeObject)]).toEqual([1, 3]);
  for (const key of keys) expect(await length(key)).toBe(10);
  await blobs.close();
});

test('an abort ends parts without a response immediately', async () => {
  const controller = new AbortController();
  const { blobs, count } = await openWithFault((request) => {
    if (!isPart(request)) return undefined;
    setImmediate(() => controller.abort(new Error('enough')));
    return { type: 'hang' };
  });
  const written = blobs.write(blobKey(), generated(50 * mib), { signal: controller.signal });
  await expect(written).rejects.toThrow('enough');
  expect(count(isAbortUpload)).toBe(1);
  await blobs.close();
});

test('limits concurrent parts over all writes to the option', async () => {
  for (const partsInFlight of [1, 3]) {
    const { options, mostParts } = await faultyStore(() => undefined);
    const blobs = await openS3Blobs({ ...options, partsInFlight, partBytes: 5 * mib });
    await Promise.all(Array.from({ length: 4 }, () => blobs.write(blobKey(), generated(11 * mib))));
    expect(mostParts()).toBeGreaterThan(0);
    expect(mostParts()).toBeLessThanOrEqual(partsInFlight);
    await blobs.close();
  }
});

test('reports a full server as such, and no other failure', async () => {
  for (const [fault, noSpace] of [
    [answerOf(507, 'XMinioStorageFull'), true],
    [answerOf(403, 'QuotaExceeded'), true],
    [answerOf(403, 'AccessDenied'), false],
  ] as const) {
    const { blobs } = await openWithFault(() => fault);
    await expect(blobs.write(blobKey(), generated(1000))).rejects.toMatchObject({ name: 'S3BlobsError', noSpace });
    await blobs.close();
  }
});
