import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../index.ts';
import type { TestServerOptions } from '../index.ts';

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages' | 'stream'>;
type Messages = string | OpenAI.ChatCompletionMessageParam[];

async function start(options: TestServerOptions) {
  const server = await startTestServer({ port: false, ...options });
  onTestFinished(() => server.close());
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, fetch: server.fetch, maxRetries: 0 });
  const whole = (messages: Messages, more: Params & { model?: string } = {}) =>
    client.chat.completions.create({
      model: 'm',
      ...more,
      messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    });
  const said = async (messages: Messages, more?: Params & { model?: string }) =>
    (await whole(messages, more)).choices[0]?.message.content;
  return { server, client, whole, said };
}

const tool = (name: string): OpenAI.ChatCompletionTool => ({ type: 'function', function: { name } });

test('the first matching rule is used: by model, message, system, tool, turn, format, stream and a function', async () => {
  const { said, client } = await start({
    replies: [
      { when: { model: 'gpt-4' }, reply: 'model' },
      { when: { model: /^o\d/ }, reply: 'model by pattern' },
      { when: { message: 'needle' }, reply: 'message' },
      { when: { message: /^N\w+E$/i }, reply: 'message by pattern' },
      { when: { system: 'pirate' }, reply: 'system' },
      { when: { tool: 'add', model: 'm' }, reply: 'tool' },
      { when: { turn: 2 }, reply: 'turn' },
      { when: { format: 'json_object' }, reply: { json: { format: true } } },
      { when: { stream: true }, reply: 'stream' },
      { when: { test: ({ body }) => body.seed === 7 }, reply: 'function' },
      'none of them',
    ],
  });
  const user = { role: 'user' as const, content: 'Hi' };
  expect([
    await said('Hi', { model: 'gpt-4' }),
    await said('Hi', { model: 'gpt-4o' }),
    await said('Hi', { model: 'o3' }),
    await said('a needle in hay'),
    await said('Nice'),
    await said([{ role: 'developer', content: 'Be a pirate' }, user]),
    await said('Hi', { tools: [tool('add')] }),
    await said([user, { role: 'assistant', content: 'Yes?' }, user]),
    await said('as json', { response_format: { type: 'json_object' } }),
    await said('Hi', { seed: 7 }),
    await said([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a nee' },
          { type: 'text', text: 'dle' },
        ],
      },
    ]),
  ]).toEqual([
    'model',
    'none of them',
    'model by pattern',
    'message',
    'message by pattern',
    'system',
    'tool',
    'turn',
    '{"format":true}',
    'function',
    'message',
  ]);
  const stream = await client.chat.completions.create({ model: 'm', messages: [user], stream: true });
  const chunks = await Array.fromAsync(stream);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('stream');
});

test('tools: a call, its result by the name of the tool, a custom tool, and arguments that are not JSON', async () => {
  const { whole, said } = await start({
    replies: [
      { when: { toolResult: 'add' }, reply: 'The sum is {{toolResult}}.' },
      { when: { toolResult: true }, reply: 'Another tool said {{toolResult}}.' },
      { when: { message: 'code' }, reply: { toolCalls: [{ name: 'run', input: 'print(1)', id: 'call_mine' }] } },
      { when: { message: 'wrong' }, reply: { toolCalls: [{ name: 'add', arguments: '{"a":' }] } },
      { when: { tool: 'add' }, reply: { text: 'Let me see.', toolCalls: [{ name: 'add', arguments: { a: 1 } }] } },
    ],
  });
  const custom: OpenAI.ChatCompletionTool = { type: 'custom', custom: { name: 'run' } };
  const tools = [tool('add'), custom];
  const { choices } = await whole('One and one?', { tools });
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: 'Let me see.', tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }] },
  });
  const [coded] = (await whole('code', { tools })).choices;
  expect(coded?.message.tool_calls).toEqual([
    { id: 'call_mine', type: 'custom', custom: { name: 'run', input: 'print(1)' } },
  ]);
  const [wrong] = (await whole('wrong', { tools })).choices;
  expect(wrong?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"a":' } });

  const called = (name: string): OpenAI.ChatCompletionMessageParam[] => [
    { role: 'user', content: 'One and one?' },
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: '2' },
  ];
  expect(await said(called('add'))).toBe('The sum is 2.');
  expect(await said(called('divide'))).toBe('Another tool said 2.');
});

test('sequences stop, repeat the last reply or restart, and times limits a rule', async () => {
  const { said, server } = await start({
    replies: [
      { when: { message: 'stop' }, sequence: ['1', ({ model }) => `2 ${model}`] },
      { when: { message: 'last' }, sequence: ['1', '2'], atEnd: 'last' },
      { when: { message: 'again' }, sequence: ['1', '2'], atEnd: 'again' },
      { when: { message: 'once' }, reply: 'once', times: 1 },
      'after',
    ],
  });
  const three = async (message: string) => [await said(message), await said(message), await said(message)];
  expect(await three('stop')).toEqual(['1', '2 m', 'after']);
  expect(await three('last')).toEqual(['1', '2', '2']);
  expect(await three('again')).toEqual(['1', '2', '1']);
  expect(await three('once')).toEqual(['once', 'after', 'after']);
  server.assertAllUsed();
});

test('templates: messages, groups of patterns, count; functions return any reply', async () => {
  const { said } = await start({
    replies: [
      {
        when: { message: /in (?<city>\w+) on (\w+)/ },
        reply: '{{match.city}}, {{match.2}}, {{ model }}, {{count}}, {{turn}}',
      },
      { when: { message: 'json' }, reply: { json: { said: '{{lastMessage}}', deep: ['{{count}}', 1, null] } } },
      { when: { message: 'braces' }, reply: { text: '{{lastMessage}} and {{else}}', template: false } },
      { when: { system: /./ }, reply: '{{system}}|{{toolResult}}|{{match.9}}|' },
      async ({ lastMessage, tools }, count) => ({ json: { lastMessage, tools, count } }),
    ],
  });
  expect(await said('Rain in Paris on Monday?')).toBe('Paris, Monday, m, 0, 1');
  expect(await said('Rain in Rome on Monday?')).toBe('Rome, Monday, m, 1, 1');
  expect(await said('json')).toBe('{"said":"json","deep":["0",1,null]}');
  expect(await said('braces')).toBe('{{lastMessage}} and {{else}}');
  expect(
    await said([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Hi' },
    ]),
  ).toBe('Be brief|||');
  expect(await said('Hi', { tools: [tool('x')] })).toBe('{"lastMessage":"Hi","tools":["x"],"count":0}');
});

test('refusals, finish reasons, usage, log probabilities, replies per choice, further fields', async () => {
  const { whole } = await start({
    replies: [
      { when: { message: 'refuse' }, reply: { refusal: 'No.', usage: { prompt_tokens: 7 } } },
      {
        when: { message: 'cut' },
        reply: { text: 'This is', finishReason: 'length', extra: { reasoning_content: 'hm' } },
      },
      { when: { message: 'choices' }, reply: { choices: ['one', { refusal: 'two' }] } },
      'Very sure.',
    ],
  });
  const refused = await whole('refuse');
  expect(refused).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: null, refusal: 'No.' } }],
    usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
  });
  expect((await whole('cut')).choices[0]).toMatchObject({
    finish_reason: 'length',
    message: { reasoning_content: 'hm' },
  });
  expect((await whole('choices', { n: 3 })).choices.map(({ message }) => message.content ?? message.refusal)).toEqual([
    'one',
    'two',
    'two',
  ]);
  const sure = await whole('?', { logprobs: true, top_logprobs: 1, max_completion_tokens: 1 });
  expect(sure.choices[0]).toMatchObject({
    finish_reason: 'length',
    message: { content: 'Very' },
    logprobs: { content: [{ token: 'Very', logprob: 0, top_logprobs: [{ token: 'Very' }] }] },
  });
});

test('moderation and videos by rules; without rules, nothing is flagged and a video completes immediately', async () => {
  const bytes = new TextEncoder().encode('a film');
  const { client, server } = await start({
    moderations: [{ when: { text: 'fool' }, reply: { flagged: ['harassment'], scores: { violence: 0.3, hate: 0.7 } } }],
    videos: [
      { when: { remix: true }, reply: { failure: { code: 'too_dark', message: 'Nothing to see.' } } },
      { when: { prompt: /river/i }, reply: { bytes, progress: [10, 60] } },
    ],
  });
  const moderation = await client.moderations.create({ input: 'You fool' });
  expect(moderation.results[0]).toMatchObject({
    flagged: true,
    categories: { harassment: true, violence: false, hate: true },
    category_scores: { harassment: 0.9, violence: 0.3 },
    category_applied_input_types: { harassment: ['text'], illicit: ['text'] },
  });
  await expect(client.moderations.create({ input: 'Hello' })).rejects.toMatchObject({ code: 'no_scripted_reply' });

  const ended = async ({ id }: { readonly id: string }) => {
    await expect.poll(async () => (await client.videos.retrieve(id)).status).toMatch(/completed|failed/);
    return client.videos.retrieve(id);
  };
  const made = await ended(await client.videos.create({ prompt: 'A river' }));
  expect(await (await client.videos.downloadContent(made.id)).text()).toBe('a film');
  expect((await ended(await client.videos.remix(made.id, { prompt: 'At night' }))).error).toEqual({
    code: 'too_dark',
    message: 'Nothing to see.',
  });
  const other = await ended(await client.videos.create({ prompt: 'A clock' }));
  expect(other).toMatchObject({ status: 'failed', error: { code: 'no_scripted_reply' } });
  expect(server.unmatched).toHaveLength(2);

  const plain = await start({});
  expect((await plain.client.moderations.create({ input: 'You fool' })).results[0]?.flagged).toBe(false);
});

test('with unmatched set to simulator, the simulator replies, and other models are a 404', async () => {
  const { said, client, whole } = await start({
    unmatched: 'simulator',
    models: ['a', 'b'],
    replies: [{ when: { message: 'scripted' }, reply: 'from the script' }],
  });
  expect(await said('scripted', { model: 'a' })).toBe('from the script');
  const { choices, model } = await whole('What is 6 * 7?', { model: 'b', temperature: 0 });
  expect(choices[0]?.message.content).toContain('42');
  expect(model).toBe('b');
  await expect(said('scripted', { model: 'c' })).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['a', 'b', 'omni-moderation-latest', 'sora-2']);
});

test('a disconnect ends a delayed reply', async () => {
  const { client } = await start({ replies: [{ reply: { text: 'one two three', pace: { each: 60_000 } } }, 'x'] });
  const stream = await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    if (text === 'one') stream.controller.abort();
  }
  expect(text).toBe('one');
  const { client: other } = await start({ replies: { text: 'late', delay: 60_000 } });
  const asked = other.chat.completions.create(
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    { timeout: 50 },
  );
  await expect(asked).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
});
