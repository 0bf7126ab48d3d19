import { expect, test } from 'vitest';
import { changedLimits, describeLimits, limitsToFields, fieldsToLimits, noLimits } from './limits.ts';

const limits = {
  requests_per_minute: 60,
  tokens_per_minute: null,
  allowed_models: ['small', 'large'],
  max_output_tokens: 4096,
};

test('limits are converted to fields and back', () => {
  expect(fieldsToLimits(limitsToFields(limits))).toEqual(limits);
  expect(fieldsToLimits(noLimits)).toEqual({
    requests_per_minute: null,
    tokens_per_minute: null,
    allowed_models: null,
    max_output_tokens: null,
  });
});

test('only edited fields are changed, and empty ones remove the limit', () => {
  const before = limitsToFields({ ...limits, allowed_models: [] });
  expect(changedLimits(before, before)).toEqual({});
  expect(changedLimits(before, { ...before, requestsPerMinute: '', allowedModels: ' small \n\n' })).toEqual({
    requests_per_minute: null,
    allowed_models: ['small'],
  });
});

test('limits are described in one line', () => {
  expect(describeLimits(limits)).toBe('60 requests/min, 4,096 output tokens, models: small, large');
  expect(describeLimits({ ...limits, allowed_models: [] })).toContain('no models');
  expect(describeLimits(fieldsToLimits(noLimits))).toBe('none');
});
