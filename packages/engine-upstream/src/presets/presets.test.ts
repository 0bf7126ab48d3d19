import { describe, expect, test } from 'vitest';
import { chunk, completion, frames, json, startEventStream } from '../../test/fake-server.ts';
import type { RequestHandler } from '../../test/fake-server.ts';
import { serveUpstream } from '../../test/start-upstream.ts';
import { commonCapabilities, presetNames } from './presets.ts';
import type { UpstreamPreset } from './presets.ts';

type Kinds = (UpstreamPreset | undefined)[];
const common = (...kinds: Kinds) =>
  commonCapabilities(
    kinds.map((preset) => ({ preset })),
    undefined,
  );
const of = (...kinds: Kinds) => common(...kinds).parameters;

test('intersects the capabilities of the servers of a model, and supports everything without a preset', () => {
  expect(of('vllm', 'ollama')).toMatchObject({ temperature: 'native', n: 'emulated', logit_bias: 'refused' });
  expect(of('vllm', undefined)).toEqual(of('vllm'));
  expect(common('vllm', 'llama.cpp').tool_choices).toEqual(['none', 'required', 'function']);
  expect(new Set(Object.values(of(undefined)))).toEqual(new Set(['native']));
});

test('structured outputs are native at servers with grammars, unless the option says otherwise, and guaranteed if one server needs it', () => {
  const modes = presetNames.map((preset) => [preset, common(preset).structured_outputs] as const);
  expect(modes.filter(([, mode]) => mode !== 'native')).toEqual([['hosted', 'guaranteed']]);
  expect(common(undefined).structured_outputs).toBe('guaranteed');
  expect(common('vllm', 'hosted').structured_outputs).toBe('guaranteed');
  const off = { preset: 'vllm', structuredOutputs: 'off' } as const;
  expect(commonCapabilities([off], undefined).structured_outputs).toBe('off');
  expect(commonCapabilities([off, { preset: 'vllm' }], undefined).structured_outputs).toBe('native');
});

test('prefers the capabilities of a model to the presets of its servers', () => {
  const own = { parameters: { logit_bias: 'native', seed: 'refused' }, inputs: ['text'] } as const;
  const { parameters, inputs, roles } = commonCapabilities([{ preset: 'ollama' }], own);
  expect(parameters).toEqual({ ...of('ollama'), ...own.parameters });
  expect({ inputs, roles }).toEqual({ inputs: ['text'], roles: ['system', 'user', 'assistant', 'tool'] });
});

const reply: RequestHandler = (response, { body }) =>
  'stream' in body
    ? startEventStream(response).end(frames(chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]'))
    : json(response, 200, completion);
const messages = [{ role: 'user', content: 'Hi' }] as const;

describe.each([...presetNames, undefined])('with the preset %s', (preset) => {
  test('cache hints are accepted, and forwarded to servers with the hosted API', async () => {
    const { fake, post } = await serveUpstream(reply, '/v1/chat/completions', { upstream: { preset } });
    const isForwarded = preset === 'hosted' || preset === undefined;
    const hints = { prompt_cache_key: 'key', prompt_cache_retention: '24h' };
    expect(await post({ messages, ...hints })).toMatchObject({ status: 200 });
    for (const [name, value] of Object.entries(hints)) {
      expect(fake.requests[0]?.body[name]).toBe(isForwarded ? value : undefined);
    }
  });

  test.each([{}, { prompt_cache_key: null }, { prompt_cache_key: undefined, prompt_cache_retention: null }])(
    'a request with %j is accepted',
    async (hints) => {
      const { fake, post } = await serveUpstream(reply, '/v1/chat/completions', { upstream: { preset } });
      expect(await post({ messages, ...hints })).toMatchObject({ status: 200 });
      expect(fake.requests[0]?.body['prompt_cache_key'] ?? null).toBeNull();
    },
  );
});

const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
const marked = [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...breakpoint }] }];

test('cache options and breakpoints are forwarded to servers that may know them, and removed for others', async () => {
  for (const [preset, isForwarded] of [
    [undefined, true],
    ['vllm', false],
  ] as const) {
    const { fake, post } = await serveUpstream(reply, '/v1/chat/completions', { upstream: { preset } });
    await post({ messages: marked, prompt_cache_options: { mode: 'explicit', ttl: '30m' } });
    const { messages: sent, prompt_cache_options: options } = fake.requests[0]?.body ?? {};
    expect(options).toEqual(isForwarded ? { mode: 'explicit', ttl: '30m' } : undefined);
    expect(sent).toEqual(isForwarded ? marked : [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
  }
});

test('the reasoning of earlier replies is forwarded under the names that servers read, and removed for others', async () => {
  const reasoned = { role: 'assistant', content: '42', reasoning_content: 'Hm' };
  const conversation = [...messages, reasoned, ...messages];
  for (const preset of ['vllm', 'sglang', 'llama.cpp', 'ollama', 'hosted', undefined] as const) {
    const { fake, post } = await serveUpstream(reply, '/v1/chat/completions', { upstream: { preset } });
    expect(await post({ messages: conversation })).toMatchObject({ status: 200 });
    const { reasoning_content: _, ...bare } = reasoned;
    const takes = preset !== undefined && preset !== 'ollama' && preset !== 'hosted';
    const sent = takes ? { ...reasoned, reasoning: 'Hm' } : bare;
    expect(fake.requests[0]?.body['messages']).toEqual([...messages, sent, ...messages]);
  }
});

test('explicit mode without a breakpoint turns the cache of llama.cpp off, and gives vLLM a salt of its own', async () => {
  const explicit = { prompt_cache_options: { mode: 'explicit' }, prompt_cache_key: 'a' };
  const llama = await serveUpstream(reply, '/v1/chat/completions', { upstream: { preset: 'llama.cpp' } });
  await llama.post({ messages, ...explicit });
  await llama.post({ messages: marked, ...explicit });
  expect(llama.fake.requests.map(({ body }) => body['cache_prompt'])).toEqual([false, undefined]);
  const upstream = { preset: 'vllm', promptCacheKey: 'cache_salt' } as const;
  const vllm = await serveUpstream(reply, '/v1/chat/completions', { upstream });
  for (const sent of [messages, messages, marked, marked]) await vllm.post({ messages: sent, ...explicit });
  const salts = vllm.fake.requests.map(({ body }) => body['cache_salt']);
  expect(new Set(salts).size).toBe(3);
  expect(salts[3]).toBe(salts[2]);
});

test('prompt_cache_key becomes the salt of a cache or a slot where that is configured', async () => {
  for (const [preset, promptCacheKey] of [
    ['vllm', 'cache_salt'],
    ['llama.cpp', { slots: 4 }],
  ] as const) {
    const upstream = { preset, promptCacheKey };
    const { fake, post } = await serveUpstream(reply, '/v1/chat/completions', { upstream });
    for (const prompt_cache_key of ['a', 'a', 'b', undefined]) await post({ messages, prompt_cache_key });
    const name = preset === 'vllm' ? 'cache_salt' : 'id_slot';
    const [first, second, other, none] = fake.requests.map(({ body }) => body[name]);
    expect(second).toBe(first);
    expect(none).toBeUndefined();
    if (preset === 'vllm') expect(other).not.toBe(first);
    else expect([0, 1, 2, 3]).toContain(other);
    expect(first).not.toBe('a');
  }
});
