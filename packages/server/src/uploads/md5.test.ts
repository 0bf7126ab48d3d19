import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { md5Of } from './md5.ts';

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await setImmediate();
  }
}

const never = new AbortController().signal;
const large = 8 * 1024 * 1024 + 1;

test.each([
  ['nothing', 0, 1],
  ['a few bytes', 10, 3],
  ['up to where one thread does it', 8 * 1024 * 1024, 1_000_000],
  ['one byte more', large, 65_536],
  ['whole pieces', 12 * 1024 * 1024, 1024 * 1024],
  ['pieces larger than are handed over', 12_345_678, 5_000_000],
])('of %s', async (_, length, size) => {
  const bytes = randomBytes(length);
  const expected = createHash('md5').update(bytes).digest('hex');
  expect(await md5Of(cut(bytes, size), { bytes: length, signal: never })).toBe(expected);
});

test.each([10, large])('of %d bytes that cannot be read fails as reading did', async (bytes) => {
  const failure = new Error('gone');
  async function* broken() {
    yield Uint8Array.of(1);
    await setImmediate();
    throw failure;
  }
  await expect(md5Of(broken(), { bytes, signal: never })).rejects.toBe(failure);
});

test.each([10, large])('of %d bytes ends when the caller leaves', async (bytes) => {
  const gone = new AbortController();
  const why = new Error('left');
  const seen = { ended: false };
  async function* endless() {
    try {
      for (let n = 0; ; n++) {
        yield new Uint8Array(100_000);
        await setImmediate();
        if (n === 30) gone.abort(why);
      }
    } finally {
      seen.ended = true;
    }
  }
  await expect(md5Of(endless(), { bytes, signal: gone.signal })).rejects.toBe(why);
  expect(seen.ended).toBe(true);
});
