import type { UsageIncrement } from '@modelwire/ports';

/** The usage of one request to a model. */
export const usageOf = (model: string): UsageIncrement => ({
  day: 0,
  project: 'p',
  keyId: 'k',
  model,
  requests: 1,
  inputTokens: 1,
  outputTokens: 2,
  cachedTokens: 3,
  costMicros: 4,
});
