import { readFile } from 'node:fs/promises';
import { chatParameters } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { presetNames, sharedCapabilities } from './presets.ts';

const of = (...kinds: Parameters<typeof sharedCapabilities>[0]) => sharedCapabilities(kinds, undefined).parameters;

test('the table of the README is what the presets say', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = readme.matchAll(/^\| `(\w+)` +((?:\| (?:native|emulated|refused) +)+)\|$/gm);
  const written = Array.from(rows, ([, name, support = '']) => [name, ...(support.match(/\w+/g) ?? [])]);
  expect(written).toEqual(chatParameters.map((name) => [name, ...presetNames.map((preset) => of(preset)[name])]));
});

test('a model of several servers can what the least of them can, and one without a preset can all', () => {
  expect(of('vllm', 'ollama')).toMatchObject({ temperature: 'native', n: 'emulated', logit_bias: 'refused' });
  expect(of('vllm', undefined)).toEqual(of('vllm'));
  expect(sharedCapabilities(['vllm', 'llama.cpp'], undefined).tool_choices).toEqual(['none', 'required', 'function']);
  expect(new Set(Object.values(of(undefined)))).toEqual(new Set(['native']));
});

test('what is said of a model counts before the presets of its servers', () => {
  const own = { parameters: { logit_bias: 'native', seed: 'refused' }, inputs: ['text'] } as const;
  const { parameters, inputs, roles } = sharedCapabilities(['ollama'], own);
  expect(parameters).toEqual({ ...of('ollama'), ...own.parameters });
  expect({ inputs, roles }).toEqual({ inputs: ['text'], roles: ['system', 'user', 'assistant', 'tool'] });
});
