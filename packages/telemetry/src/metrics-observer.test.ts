import { expect, test } from 'vitest';
import { createMetricsObserver } from './metrics-observer.ts';
import { createRegistry } from './registry.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const request = { method: 'POST', url: '/v1/chat/completions', route: '/v1/chat/completions' };
const attempt = {
  upstream: 'u',
  model: 'm',
  method: 'POST',
  origin: 'http://u',
  path: '/v1/chat/completions',
  number: 1,
};

test.each([
  [traceparent, { traceparent }],
  ['no trace', {}],
])('requests to upstreams continue the trace of the client: %s', (given, headers) => {
  const observer = createMetricsObserver(createRegistry(), { isListedModel: () => true });
  const observation = observer.startRequest({
    ...request,
    header: (name) => (name === 'traceparent' ? given : null),
  });
  expect(observation.startUpstreamAttempt(attempt).headers).toEqual(headers);
});

test('counts requests above the soft and hard limits of budgets', async () => {
  const registry = createRegistry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  observer.budgetExceeded?.({ limit: 'soft', unit: 'cost' });
  for (let count = 0; count < 2; count++) observer.budgetExceeded?.({ limit: 'hard', unit: 'tokens' });
  const text = await registry.text();
  expect(text).toContain('modelwire_budget_exceeded_total{limit="soft",unit="cost"} 1\n');
  expect(text).toContain('modelwire_budget_exceeded_total{limit="hard",unit="tokens"} 2\n');
});

test('does not count a 429 of an upstream as a limit of this server', async () => {
  const registry = createRegistry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const outcome = { requestId: 'req_1', status: 429, durationMs: 1, error: 'rate_limit_exceeded' };
  observer.startRequest({ ...request, header: () => null }).end(outcome);
  observer.startRequest({ ...request, header: () => null }).end({ ...outcome, upstream: 'u' });
  expect(await registry.text()).toContain('modelwire_rate_limited_total{code="rate_limit_exceeded"} 1\n');
});
