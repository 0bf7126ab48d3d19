import { describe, expect, test } from 'vitest';
import { capabilities } from '@modelwire/ports';
import type { ChatModel } from '@modelwire/ports';
import { createServer } from './server.ts';
import { key, listen } from './testing/listen.ts';
import { wordModeration } from './testing/moderation-engine.ts';
import { contentOf, says, scriptedEngine } from './testing/scripted-engine.ts';
import { resolveAliases } from './model-aliases.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

function serve(modelAliases: Record<string, string>) {
  const engine = scriptedEngine((request) => says(contentOf(request)));
  const moderationEngine = wordModeration();
  const server = listen({ engines: [engine], moderationEngines: [moderationEngine], modelAliases });
  return { engine, server };
}

describe('an alias of a chat model', () => {
  test('is served by its model, and the response has the requested name', async () => {
    const { engine, server } = serve({ 'gpt-4o': 'scripted' });
    const { client } = await server;
    const { model } = await client.chat.completions.create({ model: 'gpt-4o', messages });
    expect(model).toBe('gpt-4o');
    const [asked] = engine.asked;
    expect([asked?.request.model, asked?.context.requestBody.model, asked?.context.model.id]).toEqual(
      Array.from({ length: 3 }, () => 'scripted'),
    );
  });

  test('has the requested name in each chunk of a stream', async () => {
    const { client } = await serve({ 'gpt-4o': 'scripted' }).server;
    const chunks = await Array.fromAsync(
      await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true }),
    );
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(['gpt-4o']));
  });

  test('is served by its model when the request has inputs to load', async () => {
    const { engine, server } = serve({ 'gpt-4o': 'scripted' });
    const { client } = await server;
    const file = { file_data: Buffer.from('Some text.').toString('base64') };
    const content = [{ type: 'file' as const, file }];
    await client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] });
    expect([engine.asked[0]?.request.model, engine.asked[0]?.context.requestBody.model]).toEqual([
      'scripted',
      'scripted',
    ]);
  });

  test('can refer to another alias', async () => {
    const { client } = await serve({ 'gpt-4o-mini': 'gpt-4o', 'gpt-4o': 'scripted' }).server;
    expect((await client.chat.completions.create({ model: 'gpt-4o-mini', messages })).model).toBe('gpt-4o-mini');
  });

  test('takes precedence over a model with the same ID', async () => {
    const other = scriptedEngine(() => says('other'), { id: 'gpt-4o' });
    const scripted = scriptedEngine(() => says('scripted'));
    const { client } = await listen({ engines: [other, scripted], modelAliases: { 'gpt-4o': 'scripted' } });
    const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages });
    expect(choices[0]?.message.content).toBe('scripted');
  });
});

test('an alias of a moderation model is served by it', async () => {
  const { client } = await serve({ 'text-moderation-latest': 'omni-moderation-latest' }).server;
  const { model, results } = await client.moderations.create({ model: 'text-moderation-latest', input: 'bad' });
  expect([model, results[0]?.flagged]).toEqual(['text-moderation-latest', true]);
});

test('the catch-all serves every other ID, and only IDs of its kind', async () => {
  const { client } = await serve({ '*': 'scripted' }).server;
  expect((await client.chat.completions.create({ model: 'claude', messages })).model).toBe('claude');
  expect((await client.moderations.create({ input: 'fine' })).model).toBe('omni-moderation-latest');
  await expect(client.moderations.create({ model: 'claude', input: 'fine' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
});

test('aliases are listed and can be retrieved; the catch-all is not listed', async () => {
  const { client } = await serve({ 'gpt-4o': 'scripted', '*': 'scripted' }).server;
  const ids = (await client.models.list()).data.map(({ id }) => id);
  expect(ids).toEqual(['scripted', 'gpt-4o', 'omni-moderation-latest', 'omni-moderation-2024-09-26']);
  expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', owned_by: 'tests' });
  await expect(client.chat.completions.create({ model: '*', messages })).rejects.toMatchObject({ status: 404 });
});

describe('createServer', () => {
  const engines = [scriptedEngine(() => says('Hi'))];
  const start = (options: object) => () => createServer({ engines, keys: [key], ...options });

  test('rejects an alias of a model that is not served, and names both', () => {
    expect(start({ modelAliases: { 'gpt-4o': 'llama' } })).toThrow(
      "modelAliases: 'gpt-4o' names the model 'llama', which no engine serves. Served models: 'scripted'.",
    );
  });

  test('the catch-all does not replace a missing model', () => {
    expect(start({ modelAliases: { 'gpt-4o': 'llama', '*': 'scripted' } })).toThrow("'llama'");
  });

  test('rejects a default model that is not served', () => {
    expect(start({ defaultModel: 'llama' })).toThrow("defaultModel: no engine serves the chat model 'llama'");
  });

  test('an alias may name a model that its engine learns of later', async () => {
    let models: readonly ChatModel[] = [];
    const late = { ...scriptedEngine(() => says('late')), hasLoadedModels: false, models: () => models };
    const { client } = await listen({ engines: [late], modelAliases: { 'gpt-4o': 'late' }, defaultModel: 'late' });
    await expect(client.chat.completions.create({ model: 'gpt-4o', messages })).rejects.toMatchObject({ status: 404 });
    models = [{ id: 'late', created: 1, owned_by: 'tests', capabilities: capabilities() }];
    expect((await client.chat.completions.create({ model: 'gpt-4o', messages })).model).toBe('gpt-4o');
  });

  test.each([
    [{ a: 'a' }, "modelAliases: 'a' -> 'a' is a cycle."],
    [{ a: 'b', b: 'c', c: 'b' }, 'is a cycle.'],
    [{ a: '' }, 'must not be empty'],
  ])('%j is an error', (aliases, message) => {
    expect(() => resolveAliases(aliases)).toThrow(message);
  });
});

test('a chat request without a model is served by the default model, or gets a 400 if there is none', async () => {
  const engines = [scriptedEngine(() => says('Hi'))];
  const { post } = await listen({ engines, defaultModel: 'scripted' });
  for (const body of [{ messages }, { messages, model: null }]) {
    expect(await (await post(body)).json()).toMatchObject({ model: 'scripted' });
  }
  const without = await listen({ engines });
  expect(await (await without.post({ messages })).json()).toMatchObject({
    error: { code: 'missing_required_parameter', param: 'model' },
  });
});
