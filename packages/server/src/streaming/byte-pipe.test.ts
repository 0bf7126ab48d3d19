import { expect, test, vi } from 'vitest';
import { openBytePipe } from './byte-pipe.ts';

/** A source that records how often it was read, and whether its iteration was ended. */
function source(pieces: readonly (Uint8Array | Error)[]) {
  const seen = { asked: 0, ended: false };
  async function* bytes() {
    try {
      for (const piece of pieces) {
        seen.asked++;
        if (piece instanceof Error) throw piece;
        yield piece;
        await Promise.resolve();
      }
    } finally {
      seen.ended = true;
    }
  }
  return { bytes: bytes(), seen };
}

const [one, two, three] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];

async function open(pieces: readonly (Uint8Array | Error)[], stallMs = 60_000) {
  const { bytes, seen } = source(pieces);
  return { pipe: await openBytePipe({ source: bytes, stallMs }), seen };
}

test('a reader gets all pieces in order, and the pipe is done after the last', async () => {
  const { pipe } = await open([one, two]);
  expect([await pipe.next(), await pipe.next()]).toEqual([one, two]);
  expect(await Promise.race([pipe.done, Promise.resolve('pending')])).toBe('pending');
  expect([await pipe.next(), await pipe.next()]).toEqual([undefined, undefined]);
  pipe.cancel(undefined);
  expect(await pipe.done).toBeUndefined();
});

test('the source is read on demand, except for the first piece', async () => {
  const { pipe, seen } = await open([one, two, three]);
  expect(seen.asked).toBe(1);
  await pipe.next();
  expect(seen.asked).toBe(1);
  await pipe.next();
  expect(seen.asked).toBe(2);
});

test('cancelling ends the iteration of the source', async () => {
  const { pipe, seen } = await open([one, two]);
  await pipe.next();
  pipe.cancel(undefined);
  expect(await pipe.done).toBeUndefined();
  await expect.poll(() => seen.ended).toBe(true);
  expect(await pipe.next()).toBeUndefined();
});

test('rejects if the source cannot be read from the start', async () => {
  await expect(open([new Error('gone')])).rejects.toThrow('gone');
});

test('a source that fails later rejects the read, and resolves done with the failure', async () => {
  const failure = new Error('gone');
  const { pipe } = await open([one, failure]);
  await pipe.next();
  await expect(pipe.next()).rejects.toBe(failure);
  expect(await pipe.done).toBe(failure);
  expect(await pipe.next()).toBeUndefined();
});

test('a reader that stalls is disconnected', async () => {
  const { pipe, seen } = await open([one, two], 20);
  const stalled = vi.fn();
  pipe.onStall(stalled);
  await pipe.next();
  await expect.poll(() => stalled.mock.calls.length).toBe(1);
  expect(await pipe.done).toBeUndefined();
  await expect.poll(() => seen.ended).toBe(true);
});
