import { describe, expect, test } from 'vitest';
import { capabilities } from '@modelwire/ports';
import type { ChatModel, EmbeddingEngine, PassThrough } from '@modelwire/ports';
import { createServer } from '../server.ts';
import { key, listen } from '../testing/listen.ts';
import { wordModeration } from '../testing/moderation-engine.ts';
import { contentOf, says, scriptedEngine } from '../testing/scripted-engine.ts';
import { checkAliases } from './model-aliases.ts';

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

  test('does not redirect a model with the same ID, neither directly nor on the way from another alias', async () => {
    const own = scriptedEngine(() => says('own'), { id: 'gpt-4o' });
    const scripted = scriptedEngine(() => says('scripted'));
    const modelAliases = { 'gpt-4o': 'scripted', '4o': 'gpt-4o', '*': 'scripted' };
    const { client } = await listen({ engines: [own, scripted], modelAliases });
    for (const model of ['gpt-4o', '4o']) {
      const { choices } = await client.chat.completions.create({ model, messages });
      expect(choices[0]?.message.content).toBe('own');
    }
  });

  test('takes precedence over a model that an engine serves without listing it', async () => {
    const any = { ...scriptedEngine(() => says('any')), models: () => [] };
    const scripted = scriptedEngine(() => says('scripted'));
    const [model] = scripted.models();
    const resolveModel = (id: string) => model && { ...model, id };
    const engines = [{ ...any, resolveModel }, scripted];
    const { client } = await listen({ engines, modelAliases: { 'gpt-4o': 'scripted', '*': 'scripted' } });
    const replyOf = async (id: string) =>
      (await client.chat.completions.create({ model: id, messages })).choices[0]?.message.content;
    expect([await replyOf('gpt-4o'), await replyOf('other')]).toEqual(['scripted', 'any']);
  });
});

test('an alias of a moderation model is served by it', async () => {
  const { client } = await serve({ 'text-moderation-latest': 'omni-moderation-latest' }).server;
  const { model, results } = await client.moderations.create({ model: 'text-moderation-latest', input: 'bad' });
  expect([model, results[0]?.flagged]).toEqual(['text-moderation-latest', true]);
});

/** Serves embeddings that have the length of the name of the model. */
function embeddingEngine(...ids: readonly string[]): EmbeddingEngine {
  const models = ids.map((id) => ({ id, created: 1, owned_by: 'tests' }));
  return {
    name: 'vectors',
    models: () => models,
    embed: ({ model, inputs }) =>
      Promise.resolve({ embeddings: inputs.map(() => [model.length]), promptTokens: undefined }),
  };
}

describe('the catch-all', () => {
  const chatEngine = () => scriptedEngine(() => says('Hi'));
  const refused = { status: 400, code: 'unsupported_value', param: 'model' };
  const notFound = { status: 404, code: 'model_not_found' };

  async function serveKinds(modelAliases: Record<string, string>, embeddings = embeddingEngine('embed', 'embed-2')) {
    const moderationEngines = [wordModeration()];
    const engines = [chatEngine()];
    const { client } = await listen({ engines, embeddingEngines: [embeddings], moderationEngines, modelAliases });
    return {
      client,
      embed: async (model: string) =>
        (await client.embeddings.create({ model, input: 'a', encoding_format: 'float' })).data[0]?.embedding[0],
      moderate: async (model: string) => (await client.moderations.create({ model, input: 'bad' })).results[0]?.flagged,
      chat: async (model: string) => (await client.chat.completions.create({ model, messages })).model,
    };
  }

  test('serves every other ID with a model of the kind of the endpoint', async () => {
    const { chat, embed, moderate } = await serveKinds({ '*': 'scripted' });
    expect(await chat('claude')).toBe('claude');
    expect(await embed('text-embedding-3-small')).toBe('embed'.length);
    expect(await moderate('text-moderation-007')).toBe(true);
  });

  test('serves its own model where that is of the kind, and the first one of the other kinds', async () => {
    const { chat, embed, moderate } = await serveKinds({ '*': 'embed-2' });
    expect(await embed('text-embedding-3-small')).toBe('embed-2'.length);
    expect(await chat('claude')).toBe('claude');
    expect(await moderate('text-moderation-007')).toBe(true);
  });

  test('comes after specific aliases, also after one of a model of another kind', async () => {
    const { embed } = await serveKinds({ small: 'embed-2', 'gpt-4o': 'scripted', '*': 'embed' });
    expect([await embed('small'), await embed('other')]).toEqual(['embed-2'.length, 'embed'.length]);
    await expect(embed('gpt-4o')).rejects.toMatchObject(refused);
  });

  test('does not redirect a model that is called by its own name, whatever its kind', async () => {
    const { chat, embed, moderate } = await serveKinds({ '*': 'scripted' });
    await expect(embed('scripted')).rejects.toMatchObject(refused);
    await expect(chat('embed')).rejects.toMatchObject(refused);
    await expect(moderate('scripted')).rejects.toMatchObject(refused);
    expect(await embed('embed-2')).toBe('embed-2'.length);
  });

  test('does not redirect a model that only pass-through serves', async () => {
    const passThrough: PassThrough = {
      mayRenameModels: false,
      accepts: () => true,
      find: () => undefined,
      models: () => [{ id: 'whisper-1', created: 1, owned_by: 'box' }],
      forward: () => Promise.reject(new Error('not reached')),
    };
    const { client } = await listen({ engines: [chatEngine()], passThrough, modelAliases: { '*': 'scripted' } });
    await expect(client.chat.completions.create({ model: 'whisper-1', messages })).rejects.toMatchObject(refused);
  });

  test('prefers embedding models to chat models that an upstream lists for embeddings, too', async () => {
    const embeddings = embeddingEngine('scripted', 'nomic-embed-text-v1', 'bge');
    const { embed } = await serveKinds({ '*': 'scripted' }, embeddings);
    expect(await embed('text-embedding-3-small')).toBe('nomic-embed-text-v1'.length);
    const onlyChatModels = await serveKinds({ '*': 'scripted' }, embeddingEngine('scripted'));
    expect(await onlyChatModels.embed('text-embedding-3-small')).toBe('scripted'.length);
  });

  test('is not served by another model while its own is unknown', async () => {
    const late = { ...chatEngine(), hasLoadedModels: false };
    const { client } = await listen({ engines: [late], modelAliases: { '*': 'on-an-upstream' } });
    await expect(client.chat.completions.create({ model: 'claude', messages })).rejects.toMatchObject(notFound);
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
    expect(() => checkAliases(aliases)).toThrow(message);
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
