import { expect, test } from 'vitest';
import { commonCapabilities } from './presets.ts';

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
