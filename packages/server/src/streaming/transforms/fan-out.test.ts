import { expect, test } from 'vitest';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import { fanOut } from './fan-out.ts';
import type { FanOutOptions } from './fan-out.ts';

const request = { seed: 7, n: 1 } as ChatRequest;
const { signal } = new AbortController();
const run = (calls: number, generate: FanOutOptions['generate']) => fanOut({ request, calls, signal, generate });

const text = (said: string): ChatEvent => ({ type: 'text', choice: 0, text: said });
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

test('makes one call for each choice, each with a different seed, and counts the prompt once', async () => {
  const seeds: (number | bigint | undefined)[] = [];
  const events = await Array.fromAsync(
    run(3, async function* ({ seed }) {
      seeds.push(seed);
      yield [text(String(seed)), finish];
      yield { type: 'usage', usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } } satisfies ChatEvent;
    }),
  );
  expect(seeds).toEqual([7, 8, 9]);
  expect(events.filter(({ type }) => type === 'text')).toEqual(
    expect.arrayContaining([0, 1, 2].map((choice) => ({ type: 'text', choice, text: String(7 + choice) }))),
  );
  expect(events.at(-1)).toEqual({ type: 'usage', usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 } });
});

test.each([
  [9007199254740990, [9007199254740990, 9007199254740991, 9007199254740992n]],
  [2n ** 63n - 2n, [2n ** 63n - 2n, 2n ** 63n - 1n, -(2n ** 63n)]],
  [-(2n ** 53n) - 1n, [-(2n ** 53n) - 1n, -(2n ** 53n), -9007199254740991]],
])('seeds of choices after %s stay exact and within 64 bits', async (seed, expected) => {
  const seeds: unknown[] = [];
  const generate: FanOutOptions['generate'] = async function* (each) {
    seeds.push(each.seed);
    yield finish;
  };
  await Array.fromAsync(fanOut({ request: { ...request, seed }, calls: 3, signal, generate }));
  expect(seeds).toEqual(expected);
});

test('one failed call fails all, and aborts the others', async () => {
  const aborted: (number | bigint | undefined)[] = [];
  const events = run(3, async function* ({ seed }, own) {
    if (seed === 8) throw new Error('broken');
    own.addEventListener('abort', () => aborted.push(seed));
    yield text('x');
    await new Promise((resolve) => own.addEventListener('abort', resolve));
  });
  await expect(Array.fromAsync(events)).rejects.toThrow('broken');
  await expect.poll(() => aborted).toEqual(expect.arrayContaining([7, 9]));
});

test('a client that disconnects aborts every call', async () => {
  const disconnected = new AbortController();
  let aborted = 0;
  const events = fanOut({
    request,
    calls: 2,
    signal: disconnected.signal,
    generate: async function* (_, own) {
      own.addEventListener('abort', () => aborted++);
      yield text('x');
      await new Promise((_resolve, reject) => own.addEventListener('abort', () => reject(own.reason as Error)));
    },
  });
  await events.next();
  disconnected.abort(new Error('disconnected'));
  await expect(Array.fromAsync(events)).rejects.toThrow('disconnected');
  expect(aborted).toBe(2);
});

test('no more than eight calls run at once', async () => {
  let running = 0;
  let most = 0;
  await Array.fromAsync(
    run(20, async function* () {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      yield finish;
      running--;
    }),
  );
  expect([most, running]).toEqual([8, 0]);
});

test('a slow reader blocks the calls', async () => {
  let made = 0;
  const events = run(2, async function* () {
    for (; made < 100_000; made++) yield text('x');
  });
  await events.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made).toBeLessThan(5000);
  await events.return(undefined);
});
