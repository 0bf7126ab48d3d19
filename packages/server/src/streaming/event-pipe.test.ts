import { expect, test, vi } from 'vitest';
import { createByteBudget } from '../limits/byte-budget.ts';
import { pipeOptions } from '../testing/event-pipe.ts';
import { openEventPipe } from './event-pipe.ts';
import type { EventPipe, EventPipeOptions, EventSink } from './event-pipe.ts';

const tick = () => new Promise(setImmediate);

const open = (produce: (sink: EventSink) => Promise<void>, more: Partial<EventPipeOptions> = {}) =>
  openEventPipe({ ...pipeOptions, produce, ...more });

async function piped(opened: Promise<string | EventPipe>): Promise<EventPipe> {
  const pipe = await opened;
  if (typeof pipe === 'string') throw new Error('it was over at once');
  return pipe;
}

async function readAll(pipe: EventPipe): Promise<string[]> {
  const pieces: string[] = [];
  for (let text = await pipe.next(); text !== undefined; text = await pipe.next()) pieces.push(text);
  return pieces;
}

test('a stream that ends in its first tick is a text', async () => {
  const body = await open(async (sink) => {
    sink.write('data: 1', '\n\n');
    sink.write('data: 2\n\n');
  });
  expect(body).toBe('data: 1\n\ndata: 2\n\n');
});

test('events of one tick are sent in one piece', async () => {
  const read = Promise.withResolvers<undefined>();
  const pipe = await piped(
    open(async (sink) => {
      for (const data of ['1', '2']) sink.write(`data: ${data}\n\n`);
      await read.promise;
      for (const data of ['3', '4', '5']) sink.write(`data: ${data}\n\n`);
    }),
  );
  const first = await pipe.next();
  read.resolve(undefined);
  expect([first, ...(await readAll(pipe))]).toEqual(['data: 1\n\ndata: 2\n\n', 'data: 3\n\ndata: 4\n\ndata: 5\n\n']);
});

test('an error before the first bytes were sent is thrown, however much was written', async () => {
  const failing = open(async (sink) => {
    sink.write('data: 1', '\n\n');
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
});

test('a reader that stalls blocks the producer', async () => {
  let written = 0;
  const pipe = await piped(
    open(async (sink) => {
      for (; written < 1000; written++) {
        sink.write('x'.repeat(1000));
        if (sink.isFull) await sink.drained();
      }
    }),
  );
  await tick();
  expect(written).toBeLessThan(100);
  const pieces = await readAll(pipe);
  expect([written, pieces.join('').length]).toEqual([1000, 1000 * 1000]);
});

test('a reader that disconnects is reported to the producer, which is no longer blocked', async () => {
  let reason: unknown;
  let closed = false;
  const pipe = await piped(
    open(
      async (sink) => {
        while (!sink.isClosed) {
          sink.write('x'.repeat(10_000));
          await (sink.isFull ? sink.drained() : tick());
        }
        closed = true;
      },
      { cancel: (why) => (reason = why) },
    ),
  );
  pipe.cancel('enough');
  await expect.poll(() => closed).toBe(true);
  expect(reason).toBe('enough');
  expect(await pipe.next()).toBeUndefined();
});

/** Writes until the buffer is full. Returns why waiting for the reader ended. */
async function hold(sink: EventSink): Promise<unknown> {
  while (!sink.isFull) sink.write('x'.repeat(10_000));
  return sink.drained().then(
    () => 'drained',
    (error: unknown) => (error as Error).message,
  );
}

test('an abort unblocks a producer', async () => {
  const stopping = new AbortController();
  let ended: unknown;
  await open(async (sink) => void (ended = await hold(sink)), { signal: () => stopping.signal });
  stopping.abort(new Error('stopping'));
  await expect.poll(() => ended).toBe('stopping');
});

test('a reader that stalls for too long is disconnected', async () => {
  let ended: unknown;
  let cancelled = false;
  await open(async (sink) => void (ended = await hold(sink)), { stallMs: 10, cancel: () => (cancelled = true) });
  await expect.poll(() => ended).toBe('the reader stalled for too long');
  expect(cancelled).toBe(true);
});

test('a reader that stalls is disconnected sooner when other requests wait for the slot', async () => {
  let isContended = false;
  let ended: unknown;
  const stallListener = vi.fn();
  const pipe = await piped(
    open(async (sink) => void (ended = await hold(sink)), { contendedStallMs: 20, isContended: () => isContended }),
  );
  pipe.onStall(stallListener);
  // Several times the contended timeout.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([ended, stallListener.mock.calls.length]).toEqual([undefined, 0]);
  isContended = true;
  await expect.poll(() => ended).toBe('the reader stalled for too long');
  expect(stallListener).toHaveBeenCalledOnce();
});

test('with enough memory a producer ends before its reader, and the memory is released after reading', async () => {
  let ended = false;
  const memory = createByteBudget(10_000_000).reserve();
  const added = vi.spyOn(memory, 'tryAcquire');
  const release = vi.spyOn(memory, 'release');
  const pipe = await piped(
    open(
      async (sink) => {
        for (let written = 0; written < 900; written++) {
          sink.write('x'.repeat(1000));
          if (written === 0) await tick();
          if (sink.isFull) await sink.drained();
        }
        ended = true;
      },
      { memory },
    ),
  );
  await expect.poll(() => ended).toBe(true);
  expect(added).toHaveBeenCalled();
  expect((await readAll(pipe)).join('').length).toBe(900_000);
  expect(release).toHaveBeenCalledOnce();
});

test('the rest of an ended stream waits for its reader no longer than a running one does', async () => {
  const stallListener = vi.fn();
  const pipe = await piped(
    open(
      async (sink) => {
        sink.write('data: 1\n\n');
        await tick();
        sink.write('data: 2\n\n');
      },
      { stallMs: 20 },
    ),
  );
  pipe.onStall(stallListener);
  await expect.poll(() => stallListener.mock.calls.length).toBe(1);
  expect(await pipe.next()).toBeUndefined();
});

test('a producer that fails before the first byte returns the memory that it reserved', async () => {
  const limiter = createByteBudget(10_000_000);
  const opened = open(
    async (sink) => {
      sink.write('x'.repeat(70_000));
      await sink.drained();
      throw new Error('malformed');
    },
    { memory: limiter.reserve() },
  );
  await expect(opened).rejects.toThrow('malformed');
  // Everything is free again.
  expect(limiter.reserve().tryAcquire(10_000_000)).toBe(true);
});
