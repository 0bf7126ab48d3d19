import { capabilities, RequestError } from '@modelwire/ports';
import type {
  BatchProvider,
  CapabilitiesInit,
  ChatEngine,
  ChatEvent,
  ChatModel,
  EngineContext,
} from '@modelwire/ports';
import { chatRequest } from '@modelwire/ports/testing';
import { expect, test, vi } from 'vitest';
import { routeEngines } from './route-engines.ts';

interface EngineInit {
  readonly ids?: readonly string[];
  readonly can?: CapabilitiesInit;
  readonly concurrency?: number;
}

/** An engine that replies with its name, or fails with `error`. */
function createEngine(name: string, { ids = ['m'], can, concurrency }: EngineInit = {}) {
  const modelOf = (id: string): ChatModel => ({ id, created: 1, owned_by: name, capabilities: capabilities(can) });
  const models = ids.map(modelOf);
  const state: { error: Error | undefined; held: Promise<unknown> | undefined; models: readonly ChatModel[] } = {
    error: undefined,
    held: undefined,
    models,
  };
  const engine: ChatEngine = {
    name,
    models: () => state.models,
    async *generate(): AsyncGenerator<ChatEvent> {
      await state.held;
      if (state.error) throw state.error;
      yield { type: 'text', choice: 0, text: name };
      yield { type: 'finish', choice: 0, reason: 'stop' };
    },
    ...(concurrency !== undefined && { concurrency }),
  };
  return { name, engine, state, modelOf };
}

const create = (...engines: readonly ReturnType<typeof createEngine>[]) => {
  const routed = routeEngines(engines);
  return {
    routed,
    /** The text of the reply to a request with this key. */
    async ask(key: string): Promise<string> {
      const requestBody = { model: 'm', messages: [], prompt_cache_key: key };
      const { signal } = new AbortController();
      const model = { id: 'm', created: 1, owned_by: 'us', capabilities: capabilities() };
      const context: EngineContext = { requestId: 'r', project: 'p', model, requestBody, signal };
      let text = '';
      for await (const events of routed.generate(chatRequest(), context))
        for (const event of 'type' in events ? [events] : events) if (event.type === 'text') text += event.text;
      return text;
    },
  };
};

const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
const unavailable = new RequestError('busy', { status: 503 });

test('serves the models that several engines have, with the capabilities that all of them have', () => {
  const a = createEngine('a', { ids: ['m', 'only a'], can: { parameters: { seed: 'native', top_k: 'native' } } });
  const b = createEngine('b', { ids: ['m', 'only b'], can: { parameters: { seed: 'native' } } });
  const { routed } = create(a, b);
  const [model] = routed.models();
  expect(routed.models()).toEqual([model]);
  expect(model).toMatchObject({ id: 'm', owned_by: 'a' });
  expect(model?.capabilities.parameters).toMatchObject({ seed: 'native', top_k: 'refused' });
  // The list is a cache key of servers.
  expect(routed.models()).toBe(routed.models());
});

test('follows the models of its engines', () => {
  const a = createEngine('a');
  const b = createEngine('b');
  const { routed } = create(a, b);
  expect(routed.models()).toHaveLength(1);
  b.state.models = [b.modelOf('other')];
  expect(routed.models()).toEqual([]);
});

test('requests with the same key go to the same engine, and only those of one that fails move', async () => {
  const a = createEngine('a');
  const b = createEngine('b');
  const { ask } = create(a, b);
  const before = await Promise.all(keys.map(ask));
  expect(new Set(before)).toEqual(new Set(['a', 'b']));
  expect(await Promise.all(keys.map(ask))).toEqual(before);
  a.state.error = unavailable;
  expect(new Set(await Promise.all(keys.map(ask)))).toEqual(new Set(['b']));
  b.state.error = unavailable;
  await expect(ask('key')).rejects.toThrow(unavailable);
});

test('an error that is about the request is final', async () => {
  const refusal = new RequestError('too long', { status: 400 });
  const a = createEngine('a');
  const b = createEngine('b');
  a.state.error = refusal;
  b.state.error = refusal;
  const generate = vi.spyOn(b.engine, 'generate');
  const { ask } = create(a, b);
  for (const key of keys) await expect(ask(key)).rejects.toThrow(refusal);
  expect(generate.mock.calls.length).toBeLessThan(keys.length);
});

test('engines that fail again and again are paused', async () => {
  const engines = [createEngine('a'), createEngine('b')];
  for (const { state } of engines) state.error = unavailable;
  const { ask } = create(...engines);
  for (const key of keys.slice(0, 5)) await expect(ask(key)).rejects.toThrow(unavailable);
  await expect(ask('key')).rejects.toMatchObject({ status: 503, code: 'upstream_unavailable' });
});

test('an engine without a free sequence leaves requests with its key to the others', async () => {
  const a = createEngine('a', { concurrency: 2 });
  const b = createEngine('b', { concurrency: 2 });
  const { routed, ask } = create(a, b);
  expect(routed.concurrency).toBe(4);
  const held = Promise.withResolvers<undefined>();
  a.state.held = held.promise;
  b.state.held = held.promise;
  const asked = Array.from({ length: 4 }, () => ask('popular'));
  await new Promise(setImmediate);
  held.resolve(undefined);
  const replies = await Promise.all(asked);
  expect(replies.filter((name) => name === replies[0]).length).toBeLessThan(4);
});

test('a provider that takes batches gets the lines that are submitted to it; other engines run the rest', async () => {
  const own = createEngine('own');
  const hosted = createEngine('hosted');
  const notCalled = (): never => {
    throw new Error('the provider is not called');
  };
  const provider: BatchProvider = {
    upstream: 'provider',
    hasOwnCapacity: false,
    upload: notCalled,
    create: notCalled,
    find: notCalled,
    retrieve: notCalled,
    cancel: notCalled,
    download: notCalled,
    deleteFile: notCalled,
  };
  const routed = routeEngines([own, { ...hosted, engine: { ...hosted.engine, batchProviders: () => [provider] } }]);
  expect(routed.batchProviders?.('m')).toMatchObject([{ upstream: 'provider', hasOwnCapacity: true }]);
  const exchange = { upstream: 'provider', isReplied: false, reply: () => undefined };
  const model = { id: 'm', created: 1, owned_by: 'us', capabilities: capabilities() };
  async function ask(batchLine: EngineContext['batchLine'], key: string): Promise<unknown> {
    const requestBody = { model: 'm', messages: [], prompt_cache_key: key };
    const { signal } = new AbortController();
    const context: EngineContext = { requestId: 'r', project: 'p', model, requestBody, signal, batchLine };
    for await (const events of routed.generate(chatRequest(), context)) return 'type' in events ? events : events[0];
    return undefined;
  }
  for (const key of keys) {
    expect(await ask({ batch: 'b', customId: 'c', exchange }, key)).toMatchObject({ text: 'hosted' });
    expect(await ask({ batch: 'b', customId: 'c' }, key)).toMatchObject({ text: 'own' });
  }
});
