import { expect, test } from 'vitest';
import { expectNoNearTies, serveTinyForFile, userMessage } from './testing/serve-tiny.ts';

const served = await serveTinyForFile({ sequences: 2 });

const cached = (usage: { prompt_tokens_details?: { cached_tokens?: number } } | undefined): number | undefined =>
  usage?.prompt_tokens_details?.cached_tokens;

test('evaluates only the last token of a cached prompt, with the same reply', async () => {
  const messages = userMessage('The first of two, about the sea and the rain.');
  const first = await served.complete({ messages, temperature: 0 }, { key: 'key-one' });
  const again = await served.complete({ messages, temperature: 0 }, { key: 'key-one' });
  expect(cached(first.usage)).toBe(0);
  expect(cached(again.usage)).toBe(again.usage!.prompt_tokens - 1);
  expect(again.choices[0]!.message.content).toBe(first.choices[0]!.message.content);
  await expectNoNearTies(served, { messages });
});

test('resumes a conversation from its cached prefix, with the same reply as without the cache', async () => {
  const key = 'key-conversation';
  const start = [...userMessage('How long is the river?')];
  const { choices, usage } = await served.complete({ messages: start, temperature: 0 }, { key });
  const messages = [...start, choices[0]!.message, ...userMessage('And the rain?')].map((message) => {
    const { role, content } = message as { role: string; content: string };
    return { role, content };
  });
  const next = await served.complete({ messages, temperature: 0 }, { key });
  expect(cached(next.usage)).toBeGreaterThanOrEqual(usage!.prompt_tokens);
  const fresh = await served.complete({ messages, temperature: 0 }, { key: 'key-another' });
  expect(cached(fresh.usage)).toBe(0);
  expect(next.choices[0]!.message.content).toBe(fresh.choices[0]!.message.content);
  await expectNoNearTies(served, { messages });
});

test('shares nothing between projects or cache keys', async () => {
  const messages = userMessage('A secret of one project: the boat is at the sea.');
  await served.complete({ messages, prompt_cache_key: 'a' }, { key: 'key-a' });
  expect(cached((await served.complete({ messages, prompt_cache_key: 'a' }, { key: 'key-b' })).usage)).toBe(0);
  expect(cached((await served.complete({ messages, prompt_cache_key: 'b' }, { key: 'key-a' })).usage)).toBe(0);
});

test('explicit mode without a breakpoint neither uses the cache nor fills it', async () => {
  const messages = userMessage('The second of two, about the moon and the wind.');
  const explicit = { prompt_cache_options: { mode: 'explicit' as const } };
  const usage = async (more: object) =>
    cached((await served.complete({ messages, ...more }, { key: 'key-off' })).usage);
  expect([await usage(explicit), await usage({})]).toEqual([0, 0]);
  expect(await usage(explicit)).toBe(0);
});

test('queues requests above the number of sequences, with the same replies as one by one', async () => {
  const contents = ['seas', 'ships', 'mornings', 'snow', 'bridges', 'lakes'];
  const alone: (string | null)[] = [];
  for (const content of contents) {
    await expectNoNearTies(served, { messages: userMessage(content) });
    const { choices } = await served.complete({ messages: userMessage(content), temperature: 0 });
    alone.push(choices[0]!.message.content);
  }
  const together = await Promise.all(
    contents.map((content) => served.complete({ messages: userMessage(content), temperature: 0 })),
  );
  expect(together.map(({ choices }) => choices[0]!.message.content)).toEqual(alone);
});
