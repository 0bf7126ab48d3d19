import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import type { ChatEvent, ModerationEngine } from '@modelwire/ports';
import type { ServerOptions } from '../../options/options.ts';
import { listen } from '../../testing/listen.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';

const model = 'omni-moderation-latest';
type Policy = OpenAI.ChatCompletionCreateParams.Moderation.Policy;
const ask = (content: string, policy?: Policy | null) => ({
  model: 'scripted',
  messages: [{ role: 'user' as const, content }],
  moderation: { model, ...(policy !== undefined && { policy }) },
});
const blocking: Policy = { input: { mode: 'block' }, output: { mode: 'block' } };
const filler = 'fine words all the way '.repeat(10);

async function serve(
  script: () => Iterable<ChatEvent> | AsyncIterable<ChatEvent> = () => says('Hi'),
  options: Partial<ServerOptions> = {},
) {
  const moderationEngine = wordModeration();
  const engine = scriptedEngine(script, { can: { parameters: { n: 'native' } } });
  const served = await listen({ engines: [engine], moderationEngines: [moderationEngine], ...options });
  return { ...served, engine, moderationEngine };
}

const broken: ModerationEngine = { ...wordModeration(), moderate: () => Promise.reject(new Error('out of order')) };

test('a request without a policy is scored, and the engine does not learn of it', async () => {
  const { client, engine } = await serve(() => says('This is ', 'a bad ', 'thing'));
  for (const policy of [undefined, null, {}, { input: null, output: null }]) {
    const { choices, moderation } = await client.chat.completions.create(ask('a bad thing', policy));
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'This is a bad thing' } });
    const result = { type: 'moderation_result', model, flagged: true, categories: { violence: true } };
    const side = { type: 'moderation_results', model, results: [result] };
    expect(moderation).toMatchObject({ input: side, output: side });
    expect(Object.keys(moderation?.input ?? {})).toEqual(['type', 'model', 'results']);
  }
  expect(engine.asked.every(({ context }) => context.requestBody.moderation === undefined)).toBe(true);
});

test('there is a result for each message and for each choice, with the highest scores of its text', async () => {
  function* script(): Generator<ChatEvent> {
    yield { type: 'text', choice: 0, text: `${filler.repeat(40)}a bad thing` };
    yield { type: 'text', choice: 1, text: 'fine' };
    yield { type: 'finish', choice: 0, reason: 'stop' };
    yield { type: 'finish', choice: 1, reason: 'stop' };
  }
  const { client } = await serve(script);
  const { messages, ...request } = ask(`a bad thing ${filler.repeat(40)}`);
  const system = { role: 'system' as const, content: 'Be brief.' };
  const { moderation } = await client.chat.completions.create({ ...request, messages: [system, ...messages], n: 2 });
  const flags = (side: OpenAI.ChatCompletion.Moderation['input'] | undefined) =>
    side?.type === 'moderation_results' ? side.results.map(({ flagged }) => flagged) : side;
  expect(flags(moderation?.input)).toEqual([false, true]);
  expect(flags(moderation?.output)).toEqual([true, false]);
});

test('blocked input is a 400 that names moderation, and does not reach the engine', async () => {
  const { client, engine } = await serve();
  for (const stream of [false, true]) {
    const request = client.chat.completions.create({ ...ask('a bad thing', { input: { mode: 'block' } }), stream });
    await expect(request).rejects.toMatchObject({
      ...{ status: 400, code: 'content_policy_violation', param: 'moderation' },
      message: expect.stringContaining("'messages[0]' was flagged as violence") as string,
    });
  }
  expect(engine.asked).toHaveLength(0);
});

test('blocked output is withheld, and the result says why', async () => {
  const { client } = await serve(() => says('This is ', 'a bad ', 'thing'));
  const { choices, moderation } = await client.chat.completions.create(ask('fine', blocking));
  expect(choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
  expect(moderation).toMatchObject({
    input: { results: [{ flagged: false }] },
    output: { results: [{ flagged: true, categories: { violence: true } }] },
  });
});

test('no token of a blocked stream is sent before it was judged, and one chunk has the results', async () => {
  const { client } = await serve(() => slowly(says(filler, filler, 'then a bad thing ', filler)));
  const body = { ...ask('fine', blocking), stream: true as const, stream_options: { include_usage: true } };
  const chunks = await Array.fromAsync(await client.chat.completions.create(body));
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(filler);
  expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['content_filter']);
  const moderated = chunks.filter(({ moderation }) => moderation);
  expect(moderated).toMatchObject([
    { choices: [], usage: null, moderation: { output: { results: [{ flagged: true }] } } },
  ]);
  expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: expect.any(Number) as number });
});

test('a scored stream is not held back', async () => {
  const { client } = await serve(() => slowly(says('a bad thing ', filler)));
  const stream = client.chat.completions.stream(ask('fine'));
  const completion = await stream.finalChatCompletion();
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: `a bad thing ${filler}` } });
});

test('a failed moderation is an error in the results where it scores, and fails the request where it blocks', async () => {
  const { client } = await serve(undefined, { moderationEngines: [broken] });
  const { choices, moderation } = await client.chat.completions.create(ask('fine'));
  expect(choices[0]?.message.content).toBe('Hi');
  const failure = { type: 'error', code: 'internal_error', message: expect.any(String) as string };
  expect(moderation).toEqual({ input: failure, output: failure });
  for (const policy of [{ input: { mode: 'block' as const } }, { output: { mode: 'block' as const } }]) {
    const request = client.chat.completions.create(ask('fine', policy));
    await expect(request).rejects.toMatchObject({ status: 500 });
  }
});

test('a request cannot weaken the moderation of the server', async () => {
  const { client, moderationEngine } = await serve(() => says('a bad thing'), { moderate: 'both' });
  await expect(client.chat.completions.create(ask('a bad thing'))).rejects.toMatchObject({ status: 400 });
  const before = moderationEngine.asked.length;
  const { choices } = await client.chat.completions.create(ask('fine'));
  expect(choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
  // One model judges once for both.
  expect(moderationEngine.asked.length - before).toBe(2);
});

test('the model of a moderation has to be served, and the key has to be allowed to use it', async () => {
  const { client } = await serve();
  const other = { ...ask('fine'), moderation: { model: 'nobody' } };
  await expect(client.chat.completions.create(other)).rejects.toMatchObject({ status: 404, param: 'moderation.model' });
  const without = await serve(undefined, { moderationEngines: [] });
  await expect(without.client.chat.completions.create(ask('fine'))).rejects.toMatchObject({
    ...{ status: 400, param: 'moderation', code: 'unsupported_parameter' },
  });
});

test.each([
  [{ model, policy: { input: { mode: 'log' } } }, 'moderation.policy.input.mode'],
  [{ model, policy: { output: {} } }, 'moderation.policy.output.mode'],
  [{ policy: null }, 'moderation.model'],
  [{ model, other: 1 }, 'moderation.other'],
])('%j is a 400', async (moderation, param) => {
  const { postTo } = await serve();
  const { messages } = ask('fine');
  const reply = await postTo('/chat/completions', { model: 'scripted', messages, moderation });
  expect(reply).toMatchObject({ status: 400, error: { param } });
});

test('a response has one result for its input and one for its output, with the highest scores', async () => {
  const { client, engine } = await serve(() => says('This is ', 'a bad ', 'thing'));
  const create = { model: 'scripted', moderation: { model } };
  const input = [
    { role: 'user' as const, content: 'a bad thing' },
    { role: 'user' as const, content: 'fine' },
  ];
  const response = await client.responses.create({ ...create, input });
  const flagged = { type: 'moderation_result', model, flagged: true, categories: { violence: true } };
  expect(response).toMatchObject({ status: 'completed', moderation: { input: flagged, output: flagged } });
  const { moderation } = await client.responses.create({ ...create, input: 'fine' });
  expect(moderation).toMatchObject({ input: { flagged: false }, output: { flagged: true } });
  expect(engine.asked.every(({ context }) => context.requestBody.moderation === undefined)).toBe(true);
  const plain = await client.responses.create({ model: 'scripted', input: 'fine' });
  expect(plain).not.toHaveProperty('moderation');
});

test('input of a response is blocked by name, and its output is withheld, streamed or not', async () => {
  const { client, engine } = await serve(() => says('This is ', 'a bad ', 'thing'));
  const moderation = { model, policy: blocking };
  const refused = client.responses.create({ model: 'scripted', input: 'a bad thing', moderation });
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'content_policy_violation', param: 'moderation' });
  expect(engine.asked).toHaveLength(0);
  const withheld = {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    moderation: { output: { flagged: true } },
  };
  const response = await client.responses.create({ model: 'scripted', input: 'fine', moderation });
  expect(response).toMatchObject({ ...withheld, output_text: '' });
  const stream = client.responses.stream({ model: 'scripted', input: 'fine', moderation });
  let text = '';
  stream.on('response.output_text.delta', ({ delta }) => void (text += delta));
  const final = await stream.finalResponse();
  expect(final).toMatchObject(withheld);
  expect(text).toBe('');
});

test('a moderation of a response that fails is an error in its result, or fails what it should block', async () => {
  const { client } = await serve(undefined, { moderationEngines: [broken] });
  const create = { model: 'scripted', input: 'fine' };
  const { moderation } = await client.responses.create({ ...create, moderation: { model } });
  expect(moderation).toMatchObject({ input: { type: 'error' }, output: { type: 'error' } });
  const blocked = client.responses.create({ ...create, moderation: { model, policy: blocking } }, { maxRetries: 0 });
  await expect(blocked).rejects.toMatchObject({ status: 500 });
  const unknown = client.responses.create({ ...create, moderation: { model: 'nobody' } });
  await expect(unknown).rejects.toMatchObject({ status: 404, param: 'moderation.model' });
});
