import { expect, test } from 'vitest';
import { sseReply } from './sse-reply.ts';

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
const never = () => undefined;

test('a stream that ends in its first tick is a text', async () => {
  const body = await sseReply({
    cancel: never,
    produce: async (sink) => {
      sink.write('1');
      sink.write('2');
    },
  });
  expect(body).toBe('data: 1\n\ndata: 2\n\n');
});

test('events of one tick leave in one write', async () => {
  const body = await sseReply({
    cancel: never,
    produce: async (sink) => {
      for (const data of ['1', '2']) sink.write(data);
      await tick();
      for (const data of ['3', '4', '5']) sink.write(data);
    },
  });
  if (typeof body === 'string') throw new Error('expected a stream');
  const writes = (await Array.fromAsync(body)).map((bytes) => new TextDecoder().decode(bytes));
  expect(writes).toEqual(['data: 1\n\ndata: 2\n\n', 'data: 3\n\ndata: 4\n\ndata: 5\n\n']);
});

test('what goes wrong before anything left is thrown, however much was written', async () => {
  const failing = sseReply({
    cancel: never,
    produce: async (sink) => {
      sink.write('1');
      throw new Error('broken');
    },
  });
  await expect(failing).rejects.toThrow('broken');
});

test('a reader who takes nothing holds the producer', async () => {
  let written = 0;
  const body = await sseReply({
    cancel: never,
    produce: async (sink) => {
      for (; written < 1000; written++) {
        sink.write('x'.repeat(1000));
        if (sink.full) await sink.drained();
      }
    },
  });
  await tick();
  expect(written).toBeLessThan(100);
  if (typeof body === 'string') throw new Error('expected a stream');
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  expect([written, bytes]).toEqual([1000, 1000 * 1008]);
});

test('a reader who leaves is told to the producer, which is held no longer', async () => {
  let reason: unknown;
  let closed = false;
  const body = await sseReply({
    cancel: (why) => (reason = why),
    produce: async (sink) => {
      while (!sink.closed) {
        sink.write('x'.repeat(10_000));
        await (sink.full ? sink.drained() : tick());
      }
      closed = true;
    },
  });
  if (typeof body === 'string') throw new Error('expected a stream');
  await body.cancel('enough');
  await expect.poll(() => closed).toBe(true);
  expect(reason).toBe('enough');
});
