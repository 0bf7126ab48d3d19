import { expect, test } from 'vitest';
import { passedParameters } from './chat-parameters.ts';
import { chatRequestDefaults, passParameters } from './chat-request.ts';

test('parameters without a default are passed as the client sent them, null as undefined', () => {
  const passed = passParameters({ seed: 7n + 2n ** 60n, prompt_cache_key: null, prompt_cache_retention: '24h' });
  expect(passed).toMatchObject({ seed: 7n + 2n ** 60n, prompt_cache_key: undefined, prompt_cache_retention: '24h' });
  expect(Object.keys(passed)).toEqual(passedParameters);
});

test('a request without parameters has none of them', () => {
  for (const name of passedParameters) expect(chatRequestDefaults).toHaveProperty(name, undefined);
  expect(chatRequestDefaults.temperature).toBe(1);
});
