import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { expect, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import type { RequestLogEntry } from '../../request-log.ts';
import type { ServerOptions } from '../../options/options.ts';
import { dataUrl, imageHeads } from '@modelwire/ports/testing';
import { listen } from '../../testing/listen.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';

const ask = (content: string) => ({ model: 'scripted', messages: [{ role: 'user' as const, content }] });
const filler = 'fine words all the way '.repeat(10);

async function moderating(
  moderate: NonNullable<ServerOptions['moderate']>,
  script: () => Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
) {
  const log: RequestLogEntry[] = [];
  const moderationEngine = wordModeration();
  const engine = scriptedEngine(script, {
    can: {
      roles: ['developer', 'system', 'user', 'assistant', 'tool', 'function'],
      inputs: ['text', 'image'],
      tool_types: ['function'],
      parameters: { n: 'native', tools: 'native', functions: 'native' },
    },
  });
  const served = await listen({
    engines: [engine],
    moderationEngines: [moderationEngine],
    moderate,
    log: (entry) => log.push(entry),
  });
  return { ...served, moderationEngine, engine, log };
}

test('refuses flagged input before the model receives it, and names the message', async () => {
  const { client, engine, log } = await moderating('input', () => says('Hi'));
  const request = client.chat.completions.create({
    model: 'scripted',
    messages: [
      { role: 'user', content: 'fine' },
      { role: 'assistant', content: 'fine, too' },
      { role: 'user', content: [{ type: 'text', text: 'a bad thing' }] },
    ],
  });
  await expect(request).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[2]' });
  expect(engine.asked).toHaveLength(0);
  await expect.poll(() => log[0]?.flagged).toEqual(['violence']);
});

const functionCall = { name: 'look', arguments: '{"at":"a bad thing"}' };
const written: Readonly<Record<string, readonly ChatCompletionMessageParam[]>> = {
  'a system message': [{ role: 'system', content: 'a bad thing' }],
  'a developer message': [{ role: 'developer', content: [{ type: 'text', text: 'a bad thing' }] }],
  'an assistant message': [{ role: 'assistant', content: 'a bad thing' }],
  'the refusal of an assistant message': [{ role: 'assistant', refusal: 'a bad thing' }],
  'the arguments of a tool call': [
    { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: functionCall }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'fine' },
  ],
  'the arguments of a function call': [{ role: 'assistant', content: null, function_call: functionCall }],
  'a function message': [{ role: 'function', name: 'look', content: 'a bad thing' }],
  'the name of a participant': [{ role: 'user', name: 'bad', content: 'fine' }],
};

test.each(Object.keys(written))('moderates input in %s', async (name) => {
  const { client, engine } = await moderating('input', () => says('Hi'));
  const messages = [...(written[name] ?? []), { role: 'user' as const, content: 'fine' }];
  const request = client.chat.completions.create({ model: 'scripted', messages });
  await expect(request).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[0]' });
  expect(engine.asked).toHaveLength(0);
});

test('the result of a tool is moderated', async () => {
  const { client } = await moderating('input', () => says('Hi'));
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
  const request = client.chat.completions.create({
    model: 'scripted',
    messages: [
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'a bad thing' },
    ],
  });
  await expect(request).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[1]' });
});

test('more images than maxModerationImages in all messages are a 400 that names the limit, before any is moderated', async () => {
  const moderationEngine = wordModeration();
  const engine = scriptedEngine(() => says('Hi'), { can: { inputs: ['text', 'image'] } });
  const options = { engines: [engine], moderationEngines: [moderationEngine], maxModerationImages: 3 };
  const url = dataUrl('image/png', imageHeads['image/png'](4, 4));
  const image = { type: 'image_url' as const, image_url: { url } };
  const messages = [
    { role: 'user' as const, content: [image, image] },
    { role: 'user' as const, content: [image, image] },
  ];
  const { client } = await listen({ ...options, moderate: 'input' });
  const request = client.chat.completions.create({ model: 'scripted', messages });
  await expect(request).rejects.toMatchObject({
    ...{ status: 400, param: 'messages', code: 'array_above_max_length' },
    message: expect.stringContaining('at most 3 images (maxModerationImages), but got 4') as string,
  });
  expect(moderationEngine.asked).toHaveLength(0);
  const unmoderated = await listen({ ...options, moderate: 'output' });
  await expect(unmoderated.client.chat.completions.create({ model: 'scripted', messages })).resolves.toBeDefined();
});

test('flagged input can be served nevertheless, with a header', async () => {
  const { client } = await moderating({ of: 'input', flaggedInput: 'flag' }, () => says('Hi'));
  const flagged = await client.chat.completions.create(ask('a bad thing')).asResponse();
  expect([flagged.status, flagged.headers.get('x-modelwire-flagged')]).toEqual([200, 'violence']);
  const fine = await client.chat.completions.create(ask('fine')).asResponse();
  expect(fine.headers.get('x-modelwire-flagged')).toBeNull();
});

test('moderates images if the moderation model supports them', async () => {
  const { client, moderationEngine } = await moderating('input', () => says('Hi'));
  const url = dataUrl('image/png', imageHeads['image/png'](4, 4));
  const image = { type: 'image_url' as const, image_url: { url } };
  const request = client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: [image] }] });
  await expect(request).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[0]' });
  expect(moderationEngine.asked[0]?.[0]).toMatchObject({ type: 'image', mediaType: 'image/png' });
});

test('fetches and moderates images from the web, whether or not the engine receives their URL', async () => {
  for (const image_sources of [['data'], ['data', 'web']] as const) {
    const moderationEngine = wordModeration();
    const engine = scriptedEngine(() => says('Hi'), { can: { inputs: ['text', 'image'], image_sources } });
    const fetchImage = () => Promise.resolve(imageHeads['image/png'](4, 4));
    const { client } = await listen({
      engines: [engine],
      moderationEngines: [moderationEngine],
      moderate: 'input',
      fetchImage,
    });
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
    const request = client.chat.completions.create({
      model: 'scripted',
      messages: [{ role: 'user', content: [image] }],
    });
    await expect(request).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[0]' });
    expect(moderationEngine.asked[0]?.[0]).toMatchObject({ type: 'image', mediaType: 'image/png' });
  }
});

test('flagged output ends with content_filter, and none of it is sent', async () => {
  const { client } = await moderating('output', () => says('This is ', 'a bad ', 'thing'));
  const { choices } = await client.chat.completions.create(ask('fine'));
  expect(choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
  const untouched = await client.chat.completions.create(ask('a bad thing in the input alone'));
  expect(untouched.choices).toHaveLength(1);
});

test('harmless output is unchanged, complete and streamed', async () => {
  const words = [filler, 'and ', 'more'];
  const { client } = await moderating('both', () => says(...words));
  const whole = await client.chat.completions.create(ask('fine'));
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: words.join('') } });
  const stream = client.chat.completions.stream(ask('fine'));
  expect(await stream.finalContent()).toBe(words.join(''));
});

test('a stream is moderated as it grows: only text that was found harmless is sent', async () => {
  let ended = false;
  async function* script(): AsyncGenerator<ChatEvent> {
    try {
      yield* slowly(says(filler, filler, 'then a bad thing ', filler, filler));
    } finally {
      ended = true;
    }
  }
  const { client } = await moderating('output', script);
  const said: string[] = [];
  let finish: string | null = null;
  for await (const { choices } of await client.chat.completions.create({ ...ask('fine'), stream: true })) {
    said.push(choices[0]?.delta.content ?? '');
    finish = choices[0]?.finish_reason ?? finish;
  }
  expect(said.join('')).toBe(filler);
  expect(finish).toBe('content_filter');
  expect(ended).toBe(true);
});

test('of several choices only the flagged one ends', async () => {
  function* script(): Generator<ChatEvent> {
    yield { type: 'text', choice: 0, text: 'a bad thing' };
    yield { type: 'text', choice: 1, text: 'fine' };
    yield { type: 'finish', choice: 0, reason: 'stop' };
    yield { type: 'text', choice: 1, text: ' words' };
    yield { type: 'finish', choice: 1, reason: 'stop' };
  }
  const { client } = await moderating('output', script);
  const { choices } = await client.chat.completions.create({ ...ask('fine'), n: 2 });
  expect(choices.map(({ finish_reason, message }) => [finish_reason, message.content])).toEqual([
    ['content_filter', ''],
    ['stop', 'fine words'],
  ]);
});

test('if the moderation engine fails, no output is sent', async () => {
  const failing = { ...wordModeration(), moderate: () => Promise.reject(new Error('out of order')) };
  const { client } = await listen({
    engines: [scriptedEngine(() => says('Hi'))],
    moderationEngines: [failing],
    moderate: 'output',
  });
  await expect(client.chat.completions.create(ask('fine'))).rejects.toMatchObject({ status: 500 });
});

test('rejects moderation without a moderation model', async () => {
  await expect(listen({ engines: [], moderate: 'both' })).rejects.toThrow('moderate requires moderationEngines');
  const moderate = { of: 'both', model: 'nobody' } as const;
  await expect(listen({ engines: [], moderationEngines: [wordModeration()], moderate })).rejects.toThrow(
    "moderate.model: no engine has the moderation model 'nobody'",
  );
});
