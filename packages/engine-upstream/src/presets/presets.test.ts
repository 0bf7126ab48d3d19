import { expect, test } from 'vitest';
import { chunk, completion, frames, json, startEventStream } from '../../test/fake-server.ts';
import type { RequestHandler } from '../../test/fake-server.ts';
import { serveUpstream } from '../../test/start-upstream.ts';
import { commonCapabilities, presetNames } from './presets.ts';

const of = (...kinds: Parameters<typeof commonCapabilities>[0]) => commonCapabilities(kinds, undefined).parameters;

test('intersects the capabilities of the servers of a model, and supports everything without a preset', () => {
  expect(of('vllm', 'ollama')).toMatchObject({ temperature: 'native', n: 'emulated', logit_bias: 'refused' });
  expect(of('vllm', undefined)).toEqual(of('vllm'));
  expect(commonCapabilities(['vllm', 'llama.cpp'], undefined).tool_choices).toEqual(['none', 'required', 'function']);
  expect(new Set(Object.values(of(undefined)))).toEqual(new Set(['native']));
});

test('prefers the capabilities of a model to the presets of its servers', () => {
  const own = { parameters: { logit_bias: 'native', seed: 'refused' }, inputs: ['text'] } as const;
  const { parameters, inputs, roles } = commonCapabilities(['ollama'], own);
  expect(parameters).toEqual({ ...of('ollama'), ...own.parameters });
  expect({ inputs, roles }).toEqual({ inputs: ['text'], roles: ['system', 'user', 'assistant', 'tool'] });
});

test.each([...presetNames, undefined])(
  'with the preset %s, cache hints are accepted, and forwarded to servers with the hosted API',
  async (preset) => {
    const reply = frames(chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]');
    const handler: RequestHandler = (response, { body }) =>
      'stream' in body ? startEventStream(response).end(reply) : json(response, 200, completion);
    const { fake, post } = await serveUpstream(handler, '/v1/chat/completions', { upstream: { preset } });
    const hints = { prompt_cache_key: 'key', prompt_cache_retention: '24h' };
    expect(await post({ messages: [{ role: 'user', content: 'Hi' }], ...hints })).toMatchObject({ status: 200 });
    const isForwarded = preset === 'hosted' || preset === undefined;
    for (const [name, value] of Object.entries(hints)) {
      expect(fake.requests[0]?.body[name]).toBe(isForwarded ? value : undefined);
    }
  },
);
