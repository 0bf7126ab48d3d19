import type { ChatEvent } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../request-log.ts';
import { listen } from '../testing/listen.ts';
import { scriptedEngine } from '../testing/scripted-engine.ts';

const huge: CompletionUsage = {
  prompt_tokens: 2 ** 53 - 1,
  completion_tokens: 2 ** 53 - 1,
  total_tokens: 2 ** 53 - 1,
  prompt_tokens_details: { cached_tokens: 2 ** 53 - 1 },
};

function* reports(usage: CompletionUsage, ...texts: readonly string[]): Generator<ChatEvent> {
  for (const text of texts) yield { type: 'text', choice: 0, text };
  yield { type: 'finish', choice: 0, reason: 'stop' };
  yield { type: 'usage', usage };
}

/** The usage in the reply, which is also that in the log. */
async function usageOf(body: object, usage: CompletionUsage, ...texts: readonly string[]) {
  const logged: RequestLogEntry[] = [];
  const engine = scriptedEngine(() => reports(usage, ...texts), {
    can: { parameters: { max_completion_tokens: 'native' } },
  });
  const { client } = await listen({ engines: [engine], log: (entry) => logged.push(entry) });
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const completion = await client.chat.completions.create({ model: 'scripted', messages, ...body });
  await expect.poll(() => logged[0]?.usage).toEqual(completion.usage);
  return completion.usage;
}

/** A prompt of at most 4,096 added tokens, 5 + 4 estimated tokens of three bytes, and the other parameters. */
const promptLimit = 10_000;

test('usage that an engine reports is limited to the prompt and the output limit', async () => {
  const usage = await usageOf({ max_completion_tokens: 5 }, huge, 'hello');
  expect(usage?.completion_tokens).toBe(5);
  expect(usage?.prompt_tokens).toBeGreaterThan(4096);
  expect(usage?.prompt_tokens).toBeLessThan(promptLimit);
  expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + 5);
  expect(usage?.prompt_tokens_details?.cached_tokens).toBe(usage?.prompt_tokens);
});

test('without an output limit, it is limited to what any model can generate', async () => {
  expect(await usageOf({}, huge, 'hello')).toMatchObject({ completion_tokens: 1_000_000 });
});

test('an engine that exceeds the output limit is believed what it generated', async () => {
  const reported = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const usage = await usageOf({ max_completion_tokens: 2 }, reported, 'a', 'b', 'c', 'd');
  expect(usage).toEqual(reported);
});

test('the total is the sum, and fractions and negative numbers are none', async () => {
  const reported = { prompt_tokens: 3.7, completion_tokens: -4, total_tokens: 99 };
  expect(await usageOf({}, reported, 'a')).toMatchObject({ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 });
});

test.each([
  ['long prompts', { messages: [{ role: 'user', content: 'x'.repeat(60_000) }] }, 60_000],
  ['long reasoning', { messages: [{ role: 'assistant', content: 'Hi', reasoning_content: 'x'.repeat(60_000) }] }, 60_000], // prettier-ignore
  ['images', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=' } }] }] }, 900_000], // prettier-ignore
])('usage of %s is unchanged', async (_, body, prompt_tokens) => {
  const engine = scriptedEngine(() => reports({ prompt_tokens, completion_tokens: 1, total_tokens: prompt_tokens + 1 }, 'a'), { can: { inputs: ['text', 'image'], reasoning_content: true } }); // prettier-ignore
  const { post } = await listen({ engines: [engine] });
  const response = await post({ model: 'scripted', ...body });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ usage: { prompt_tokens } });
});

test('the usage of a relayed completion is limited, too', async () => {
  const completion = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: huge,
  };
  const engine = scriptedEngine(() => [], {
    can: { parameters: { max_completion_tokens: 'native' } },
    relay: () => Promise.resolve({ kind: 'completion', completion }),
  });
  const { client } = await listen({ engines: [engine] });
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const { usage } = await client.chat.completions.create({ model: 'scripted', messages, max_completion_tokens: 5 });
  expect(usage?.completion_tokens).toBe(5);
  expect(usage?.prompt_tokens).toBeLessThan(promptLimit);
});
