import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createChecksumQueue, md5Of } from './md5.ts';

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await setImmediate();
  }
}

const queue = createChecksumQueue(1000);
const never = new AbortController().signal;
const large = 8 * 1024 * 1024 + 1;

test.each([
  ['nothing', 0, 1],
  ['a few bytes', 10, 3],
  ['the largest size that the main thread computes', 8 * 1024 * 1024, 1_000_000],
  ['one byte more', large, 65_536],
  ['whole pieces', 12 * 1024 * 1024, 1024 * 1024],
  ['pieces larger than those that are sent to the thread', 12_345_678, 5_000_000],
])('the MD5 of %s is computed', async (_, length, size) => {
  const bytes = randomBytes(length);
  const expected = createHash('md5').update(bytes).digest('hex');
  expect(await md5Of(cut(bytes, size), { bytes: length, signal: never, queue })).toBe(expected);
});

test.each([10, large])('reading fails: the MD5 of %d bytes rejects with the error', async (bytes) => {
  const failure = new Error('disconnected');
  async function* broken() {
    yield Uint8Array.of(1);
    await setImmediate();
    throw failure;
  }
  await expect(md5Of(broken(), { bytes, signal: never, queue })).rejects.toBe(failure);
});

test.each([10, large])('the client disconnects: the MD5 of %d bytes rejects, and reading ends', async (bytes) => {
  const disconnected = new AbortController();
  const why = new Error('left');
  const seen = { ended: false };
  async function* endless() {
    try {
      for (let n = 0; ; n++) {
        yield new Uint8Array(100_000);
        await setImmediate();
        if (n === 30) disconnected.abort(why);
      }
    } finally {
      seen.ended = true;
    }
  }
  await expect(md5Of(endless(), { bytes, signal: disconnected.signal, queue })).rejects.toBe(why);
  expect(seen.ended).toBe(true);
});

test('the MD5 rejects when its thread ends, and reading ends', async () => {
  const onWorker = (worker: Worker): void => void worker.terminate();
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const seen = { ended: false };
  async function* endless() {
    try {
      for (;;) {
        yield new Uint8Array(100_000);
        await setImmediate();
      }
    } finally {
      seen.ended = true;
    }
  }
  const computed = md5Of(endless(), { bytes: large, signal: never, queue });
  await expect(computed).rejects.toThrow('the thread of a checksum ended');
  expect(seen.ended).toBe(true);
});

test('of forty large checksums at once, two are computed, sixteen wait, and the rest are rejected with a 503', async () => {
  const some = createChecksumQueue(60_000);
  const seen = { reading: 0, most: 0 };
  const go = Promise.withResolvers<undefined>();
  async function* held() {
    seen.most = Math.max(seen.most, ++seen.reading);
    await go.promise;
    yield Uint8Array.of(1);
    seen.reading--;
  }
  const refused: unknown[] = [];
  const asked = Array.from({ length: 40 }, () =>
    md5Of(held(), { bytes: large, signal: never, queue: some }).catch((error: unknown) => {
      refused.push(error);
      return undefined;
    }),
  );
  await expect.poll(() => refused.length).toBe(22);
  expect(refused[0]).toMatchObject({ status: 503 });
  await expect.poll(() => seen.reading).toBe(2);
  go.resolve(undefined);
  const expected = createHash('md5').update(Uint8Array.of(1)).digest('hex');
  expect((await Promise.all(asked)).filter((one) => one === expected)).toHaveLength(18);
  expect(seen.most).toBe(2);
  expect([some.active, some.waiting]).toEqual([0, 0]);
});

test('a checksum that fails releases its slot to the next one', async () => {
  const some = createChecksumQueue(60_000);
  async function* broken() {
    await setImmediate();
    yield Uint8Array.of(1);
    throw new Error('disconnected');
  }
  const asked = Array.from({ length: 3 }, () => md5Of(broken(), { bytes: large, signal: never, queue: some }));
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
  expect([some.active, some.waiting]).toEqual([0, 0]);
});
