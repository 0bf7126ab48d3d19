import { expect, test } from 'vitest';
import { chatRequestDefaults, passParameters } from './chat-request.ts';

test('parameters without a default are passed as the client sent them', () => {
  expect(passParameters({ seed: 7n + 2n ** 60n, prompt_cache_key: null })).toStrictEqual({
    prompt_cache_key: undefined,
    prompt_cache_retention: undefined,
    seed: 7n + 2n ** 60n,
  });
});

test('a request without parameters has none of them', () => {
  expect(chatRequestDefaults).toHaveProperty('seed', undefined);
  expect(chatRequestDefaults.temperature).toBe(1);
});
