import { expect, test } from 'vitest';
import type { ChatEvent, ChatRequest } from '../ports/chat-engine.ts';
import { fanOut } from './fan-out.ts';

const request = { seed: 7, n: 1 } as ChatRequest;

test('makes one call for each choice, each with a seed of its own, and counts the prompt once', async () => {
  const seeds: (number | undefined)[] = [];
  const events = await Array.fromAsync(
    fanOut(request, 3, async function* ({ seed }) {
      seeds.push(seed);
      yield { type: 'text', choice: 0, text: String(seed) } satisfies ChatEvent;
      yield { type: 'finish', choice: 0, reason: 'stop' } satisfies ChatEvent;
      yield { type: 'usage', usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } } satisfies ChatEvent;
    }),
  );
  expect(seeds).toEqual([7, 8, 9]);
  expect(events.filter(({ type }) => type === 'text')).toEqual(
    expect.arrayContaining([0, 1, 2].map((choice) => ({ type: 'text', choice, text: String(7 + choice) }))),
  );
  expect(events.at(-1)).toEqual({ type: 'usage', usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 } });
});

test('one failing call fails all, and the others are stopped', async () => {
  let stopped = 0;
  const events = fanOut(request, 3, async function* ({ seed }) {
    try {
      if (seed === 8) throw new Error('broken');
      for (;;) {
        await new Promise(setImmediate);
        yield { type: 'text', choice: 0, text: 'x' } satisfies ChatEvent;
      }
    } finally {
      stopped++;
    }
  });
  await expect(Array.fromAsync(events)).rejects.toThrow('broken');
  await expect.poll(() => stopped).toBe(3);
});
