import type { ModelCapabilities } from '@modelwire/client';
import { expect, test } from 'vitest';
import { emptySetup } from './setup.ts';
import { findUnsupported, sharedEfforts, withoutUnsupported } from './unsupported-settings.ts';

const large: ModelCapabilities = {
  object: 'model.capabilities',
  model: 'large',
  parameters: { temperature: 'native', seed: 'emulated', tools: 'native', logprobs: 'refused' },
  roles: ['user'],
  inputs: ['text'],
  modalities: ['text'],
  response_formats: ['text', 'json_schema'],
  structured_outputs: 'native',
  tool_types: ['function'],
  grammars: [],
  reasoning_efforts: ['none', 'low', 'high'],
  verbosities: [],
  service_tiers: [],
};

test('a setting is unsupported if one of the models refuses its parameter', () => {
  expect(findUnsupported([large])).toEqual({ logprobs: 'Not supported by large' });
  const small: ModelCapabilities = {
    ...large,
    model: 'small',
    parameters: { seed: 'refused' },
    response_formats: ['text'],
    tool_types: [],
  };
  expect(findUnsupported([large, small])).toEqual({
    logprobs: 'Not supported by large',
    seed: 'Not supported by small',
    schema: 'Not supported by small',
    tools: 'Not supported by small',
  });
});

test('unsupported settings are not sent', () => {
  const setup = { ...emptySetup, temperature: '0', seed: '7', logprobs: true };
  expect(withoutUnsupported(setup, { seed: 'Not supported', logprobs: 'Not supported' })).toEqual({
    ...emptySetup,
    temperature: '0',
  });
});

test('two models share the reasoning efforts that both have', () => {
  expect(sharedEfforts([])).toBe(null);
  expect(sharedEfforts([large, { ...large, reasoning_efforts: null }])).toEqual(['none', 'low', 'high']);
  expect(sharedEfforts([large, { ...large, reasoning_efforts: ['low', 'max'] }])).toEqual(['low']);
});
