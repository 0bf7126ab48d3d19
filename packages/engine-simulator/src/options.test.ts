import { expect, test } from 'vitest';
import { createSimulator } from './simulator.ts';
import type { SimulatorOptions } from './options.ts';

test('serves one model with the ID simulator by default', () => {
  expect(createSimulator().models()).toMatchObject([
    { id: 'simulator', created: 1_767_225_600, owned_by: 'modelwire' },
  ]);
});

test('declares supported parameters as native, and the others as refused', () => {
  const [model] = createSimulator().models();
  const by = (support: string): string[] =>
    Object.entries(model?.capabilities.parameters ?? {})
      .filter(([, value]) => value === support)
      .map(([name]) => name)
      .sort();
  expect(by('refused')).toEqual([]);
  expect(by('emulated')).toEqual([
    ...['audio', 'function_call', 'functions', 'modalities', 'n', 'safety_identifier', 'service_tier', 'user'],
    'web_search_options',
  ]);
  expect(model?.capabilities).toMatchObject({
    roles: ['developer', 'system', 'user', 'assistant', 'tool'],
    tool_types: ['function', 'custom'],
    grammars: ['lark', 'regex'],
    modalities: ['text'],
    response_formats: ['text', 'json_object', 'json_schema'],
    verbosities: ['low', 'medium', 'high'],
    efforts: { values: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'], default: 'none' },
    service_tiers: ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
  });
});

test('a model with a fixed reply refuses parameters that would change the reply', () => {
  const [model] = createSimulator({ models: [{ id: 'canned', reply: 'x' }] }).models();
  const { logit_bias, frequency_penalty, presence_penalty, verbosity, n, stop } = model?.capabilities.parameters ?? {};
  expect([logit_bias, frequency_penalty, presence_penalty, verbosity]).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
  ]);
  expect([n, stop]).toEqual(['emulated', 'native']);
});

test.each<[unknown, RegExp]>([
  [{ tokensPerSecond: 0 }, /tokensPerSecond must be a number greater than 0/],
  [{ tokensPerSecond: NaN }, /tokensPerSecond/],
  [{ tokensPerSecond: '5' }, /tokensPerSecond must be a number/],
  [{ firstTokenDelayMs: '5' }, /firstTokenDelayMs must be a number/],
  [{ models: [{ id: 'a', efforts: { default: 'low' } }] }, /models\[0\]\.efforts must be/],
  [{ tokensPerSecond: 1e-9 }, /24 days/],
  [{ firstTokenDelayMs: -1 }, /firstTokenDelayMs/],
  [{ firstTokenDelayMs: Infinity }, /firstTokenDelayMs/],
  [{ models: [] }, /models must be a non-empty array/],
  [{ models: [null] }, /models\[0\] must be an object/],
  [{ models: [{ id: '' }] }, /models\[0\]\.id/],
  [{ models: [{ id: 'a' }, { id: 'a' }] }, /'a' twice/],
  [{ models: [{ id: 'a', reply: '' }] }, /models\[0\]\.reply/],
  [{ models: [{ id: 'a', chunks: 2 }] }, /models\[0\]\.chunks needs/],
  [{ models: [{ id: 'a', reply: 'b', chunks: 0 }] }, /models\[0\]\.chunks/],
  [{ models: [{ id: 'a', efforts: { values: ['high'], default: 'low' } }] }, /models\[0\]\.efforts must be/],
  [{ models: [{ id: 'a', reply: 'b', efforts: { values: ['high'], default: 'high' } }] }, /models\[0\]\.efforts is/],
  [{ models: [{ id: 'a', repyl: 'b' }] }, /models\[0\] has no option 'repyl'/],
  [{ tokenPerSecond: 3 }, /createSimulator has no option 'tokenPerSecond'/],
])('rejects %j with a message that names the problem', (options, message) => {
  expect(() => createSimulator(options as SimulatorOptions)).toThrow(message);
});
