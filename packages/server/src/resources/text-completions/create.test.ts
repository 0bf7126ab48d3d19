import type { ChatEngine, ChatEvent, ChatEvents, TextCompletionRequest } from '@modelwire/ports';
import { capabilities } from '@modelwire/ports';
import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

/** Continues with ` and <prompt>`, word by word. */
function continuing({ prompt, n, logprobs }: TextCompletionRequest): ChatEvents {
  const words = [' and', ` ${String(prompt)}`];
  const text = (choice: number) =>
    words.map((word, at): ChatEvent => {
      const top = { token: word, logprob: 0 - at, bytes: null };
      return { type: 'text', choice, text: word, ...(logprobs && { logprobs: [{ ...top, top_logprobs: [top] }] }) };
    });
  return [
    { type: 'meta', system_fingerprint: 'fp_1' },
    ...Array.from({ length: n }, (_, choice) => [
      ...text(choice),
      { type: 'finish', choice, reason: 'stop' } as const,
    ]).flat(),
    { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: 2 * n, total_tokens: 3 + 2 * n } },
  ];
}

async function serving(options: object = {}) {
  const asked: TextCompletionRequest[] = [];
  const logged: RequestLogEntry[] = [];
  const engine: ChatEngine = {
    name: 'continuing',
    models: () => [{ id: 'base', created: 1, owned_by: 'tests', capabilities: capabilities({ parameters: { n: 'native', logprobs: 'native', top_logprobs: 'native', max_completion_tokens: 'native' } }) }], // prettier-ignore
    generate: () => {
      throw new Error('this engine was asked to chat');
    },
    textCompletions: { tokens: false, suffix: false },
    complete: (request) => {
      asked.push(request);
      return continuing(request);
    },
  };
  const { client, postTo } = await listen({
    engines: [engine, scriptedEngine(() => says('Hi'))],
    log: (entry) => logged.push(entry),
    ...options,
  });
  const post = (body: object) => postTo('/completions', { model: 'base', prompt: 'one', ...body });
  return { client, post, asked, logged };
}

test('the official SDK gets a continuation, with the default of 16 tokens', async () => {
  const { client, asked } = await serving();
  const reply = await client.completions.create({ model: 'base', prompt: 'one' });
  expect(reply).toMatchObject({
    id: expect.stringMatching(/^cmpl-/) as unknown,
    object: 'text_completion',
    model: 'base',
    system_fingerprint: 'fp_1',
    choices: [{ text: ' and one', index: 0, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });
  expect(asked[0]).toMatchObject({ prompt: 'one', n: 1, max_completion_tokens: 16, logprobs: false });
});

test('n choices of each prompt are in the order of the prompts, and usage is their sum', async () => {
  const { client, logged } = await serving();
  const { choices, usage } = await client.completions.create({ model: 'base', prompt: ['one', 'two'], n: 2 });
  expect(choices.map(({ index, text }) => [index, text])).toEqual([
    [0, ' and one'],
    [1, ' and one'],
    [2, ' and two'],
    [3, ' and two'],
  ]);
  expect(usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 8, total_tokens: 14 });
  expect(logged[0]).toMatchObject({ model: 'base', usage: { total_tokens: 14 } });
  const stream = await client.completions.create({ model: 'base', prompt: ['one', 'two'], n: 2, stream: true });
  await Array.fromAsync(stream);
  await expect.poll(() => logged[1]?.usage).toMatchObject({ total_tokens: 14 });
});

test('a stream has the same texts, a finish for each choice, and usage if requested', async () => {
  const { client } = await serving();
  const stream = await client.completions.create({
    ...{ model: 'base', prompt: ['one', 'two'], stream: true },
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  const texts = ['', ''];
  for (const { choices } of chunks) for (const { index, text } of choices) texts[index] = (texts[index] ?? '') + text;
  expect(texts).toEqual([' and one', ' and two']);
  expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
  expect(chunks.flatMap(({ choices }) => choices).filter(({ finish_reason }) => finish_reason === 'stop')).toHaveLength(
    2,
  );
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 10 } });
  expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
});

test('logprobs are those of the legacy endpoint, with offsets', async () => {
  const { client } = await serving();
  const { choices } = await client.completions.create({ model: 'base', prompt: 'one', logprobs: 1 });
  expect(choices[0]?.logprobs).toEqual({
    tokens: [' and', ' one'],
    token_logprobs: [0, -1],
    top_logprobs: [{ ' and': 0 }, { ' one': -1 }],
    text_offset: [0, 4],
  });
});

test('echo begins each choice with the prompt', async () => {
  const { client } = await serving();
  const { choices } = await client.completions.create({ model: 'base', prompt: ['one', 'two'], echo: true });
  expect(choices.map(({ text }) => text)).toEqual(['one and one', 'two and two']);
});

test('the server emulates stop for an engine without it', async () => {
  const { client } = await serving();
  const { choices } = await client.completions.create({ model: 'base', prompt: 'one', stop: ['ne'] });
  expect(choices[0]).toMatchObject({ text: ' and o', finish_reason: 'stop' });
});

test.each<[string, object, object]>([
  ['a model that only chats', { model: 'scripted' }, { param: 'model', code: 'unsupported_value' }],
  ['token ids', { prompt: [1, 2] }, { param: 'prompt', code: 'unsupported_value' }],
  ['suffix', { suffix: 'end' }, { param: 'suffix', code: 'unsupported_parameter' }],
  ['best_of', { best_of: 3 }, { param: 'best_of', code: 'unsupported_parameter' }],
  ['echo with logprobs', { echo: true, logprobs: 1 }, { param: 'echo', code: 'unsupported_parameter' }],
  ['logprobs as a boolean', { logprobs: true }, { param: 'logprobs', code: 'invalid_type' }],
  ['stream_options without stream', { stream_options: { include_usage: true } }, { param: 'stream_options' }],
  ['too many choices', { prompt: ['a', 'b'], n: 100 }, { param: 'n', code: 'invalid_value' }],
  ['messages', { messages: [] }, { param: 'messages', code: 'unknown_parameter' }],
  ['no prompt', { prompt: undefined }, { param: 'prompt', code: 'missing_required_parameter' }],
])('%s: a 400 that names it', async (_, body, error) => {
  const { post, asked } = await serving();
  expect(await post(body)).toMatchObject({ status: 400, error });
  expect(asked).toEqual([]);
});

test('null for an omitted parameter, a best_of equal to n and an empty suffix are accepted', async () => {
  const { post } = await serving();
  const nulls = { suffix: '', best_of: 1, logprobs: null, stop: null, stream: null, max_tokens: null, user: null };
  expect(await post(nulls)).toMatchObject({ status: 200 });
});

test('an unknown model is a 404', async () => {
  const { post } = await serving();
  expect(await post({ model: 'none' })).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
});

test('prompts and continuations are moderated like chat', async () => {
  const moderated = { moderationEngines: [wordModeration()], moderate: 'both' };
  const { post } = await serving(moderated);
  expect(await post({ prompt: 'a bad thing' })).toMatchObject({ status: 400, error: { code: 'content_filter' } });
  expect(await post({ prompt: 'fine' })).toMatchObject({ status: 200 });
});
