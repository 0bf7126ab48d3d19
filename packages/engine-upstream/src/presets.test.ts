import { expect, test } from 'vitest';
import { commonCapabilities } from './presets.ts';

const of = (...kinds: Parameters<typeof commonCapabilities>[0]) => commonCapabilities(kinds, undefined).parameters;

test('a model of several servers can what the least of them can, and one without a preset can all', () => {
  expect(of('vllm', 'ollama')).toMatchObject({ temperature: 'native', n: 'emulated', logit_bias: 'refused' });
  expect(of('vllm', undefined)).toEqual(of('vllm'));
  expect(commonCapabilities(['vllm', 'llama.cpp'], undefined).tool_choices).toEqual(['none', 'required', 'function']);
  expect(new Set(Object.values(of(undefined)))).toEqual(new Set(['native']));
});

test('what is said of a model counts before the presets of its servers', () => {
  const own = { parameters: { logit_bias: 'native', seed: 'refused' }, inputs: ['text'] } as const;
  const { parameters, inputs, roles } = commonCapabilities(['ollama'], own);
  expect(parameters).toEqual({ ...of('ollama'), ...own.parameters });
  expect({ inputs, roles }).toEqual({ inputs: ['text'], roles: ['system', 'user', 'assistant', 'tool'] });
});
