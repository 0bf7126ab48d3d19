import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { ObservedRequest } from '@modelwire/ports';
import { createMetricsObserver } from './metrics-observer.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const request = { method: 'POST', url: '/v1/chat/completions', route: '/v1/chat/completions', startedAt: 0 };
const attempt = {
  upstream: 'u',
  model: 'm',
  method: 'POST',
  origin: 'http://u',
  path: '/v1/chat/completions',
  number: 1,
};

test.each([
  [{ traceparent }, { traceparent }],
  [
    { traceparent, tracestate: 'a=1' },
    { traceparent, tracestate: 'a=1' },
  ],
  [{ traceparent, tracestate: 'a=\xff\xfe,=,,;;' }, { traceparent }],
  [{ traceparent: 'no trace', tracestate: 'a=1' }, {}],
])('requests to upstreams continue the trace of the client: %o', (given: Readonly<Record<string, string>>, headers) => {
  const observer = createMetricsObserver(new Registry(), { isListedModel: () => true });
  const observation = observer.startRequest({
    ...request,
    header: (name) => given[name] ?? null,
  });
  expect(observation.startUpstreamAttempt(attempt).headers).toEqual(headers);
});

test.each<Pick<ObservedRequest, 'backgroundResponse' | 'videoId'>>([
  { backgroundResponse: 'resp_1' },
  { videoId: 'video_1' },
])('counts the generation of %o, but not as another request', async (job) => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const create = { ...request, header: () => null };
  observer.startRequest(create).end({ requestId: 'req_1', status: 200, durationMs: 1 });
  const run = observer.startRequest({ ...create, ...job });
  const generation = run.startGeneration({
    ...{ operation: 'chat', engine: 'e', isRemote: false, queuedMs: 0, isStreamed: false, model: 'm', project: 'p' },
  });
  generation.end({ usage: undefined, firstTokenAt: undefined, finishReasons: [] });
  run.end({ requestId: 'req_2', status: 200, durationMs: 1 });
  const lines = (await registry.metrics()).split('\n');
  expect(lines.filter((line) => line.startsWith('modelwire_requests_total'))).toEqual([
    'modelwire_requests_total{method="POST",route="/v1/chat/completions",status="200",code=""} 1',
  ]);
  expect(lines).toContain('modelwire_generations_total{model="m",operation="chat",outcome="completed"} 1');
});

test('counts how replies came to match their schemas, also those of background responses', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const reply = { requestId: 'req_1', status: 200, durationMs: 1, model: 'm' };
  for (const job of [{}, { backgroundResponse: 'resp_1' }])
    observer
      .startRequest({ ...request, header: () => null, ...job })
      .end({ ...reply, outputSteps: ['cleaned', 'continued'] });
  const lines = (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('modelwire_output_steps_total'));
  expect(lines).toEqual([
    'modelwire_output_steps_total{model="m",step="cleaned"} 2',
    'modelwire_output_steps_total{model="m",step="continued"} 2',
  ]);
});

test('counts requests above the soft and hard limits of budgets', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  observer.budgetExceeded?.({ limit: 'soft', unit: 'cost' });
  for (let count = 0; count < 2; count++) observer.budgetExceeded?.({ limit: 'hard', unit: 'tokens' });
  const text = await registry.metrics();
  expect(text).toContain('modelwire_budget_exceeded_total{limit="soft",unit="cost"} 1\n');
  expect(text).toContain('modelwire_budget_exceeded_total{limit="hard",unit="tokens"} 2\n');
});

test('counts calls of the batch APIs of upstreams, and measures their duration', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const call = { upstream: 'openai', operation: 'create', durationMs: 250 } as const;
  observer.batchApiCalled?.({ ...call, outcome: 'failed' });
  observer.batchApiCalled?.({ ...call, outcome: 'succeeded' });
  const text = await registry.metrics();
  const labels = 'upstream="openai",operation="create"';
  for (const outcome of ['failed', 'succeeded'])
    expect(text).toContain(`modelwire_upstream_batch_api_calls_total{${labels},outcome="${outcome}"} 1\n`);
  expect(text).toContain(`modelwire_upstream_batch_api_call_duration_seconds_sum{${labels}} 0.5\n`);
});

test('does not count a 429 of an upstream as a limit of this server', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const outcome = { requestId: 'req_1', status: 429, durationMs: 1, error: 'rate_limit_exceeded' };
  observer.startRequest({ ...request, header: () => null }).end(outcome);
  observer.startRequest({ ...request, header: () => null }).end({ ...outcome, upstream: 'u' });
  expect(await registry.metrics()).toContain('modelwire_rate_limited_total{code="rate_limit_exceeded"} 1\n');
});

test('counts only streams that began: not requests that were refused before the first byte', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const outcome = { requestId: 'req_1', durationMs: 1, streamed: true };
  for (const ended of [
    ...[400, 429, 503].map((status) => ({ status, error: 'refused' })),
    { status: 499, error: 'client_disconnected', aborted: true },
    { status: 200 },
    { status: 200, error: 'upstream_stream_interrupted' },
    { status: 200, aborted: true },
  ])
    observer.startRequest({ ...request, header: () => null }).end({ ...outcome, ...ended });
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('modelwire_streams_total'));
  const route = 'route="/v1/chat/completions"';
  expect(lines.toSorted()).toEqual(
    ['aborted', 'completed', 'failed'].map((name) => `modelwire_streams_total{${route},outcome="${name}"} 1`),
  );
});

test('counts the errors of this server by their codes, however many codes upstreams have sent', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const fail = (error: string, status: number): void =>
    observer.startRequest({ ...request, header: () => null }).end({ requestId: 'req_1', durationMs: 1, status, error });
  for (let number = 0; number < 250; number++) fail(`code_${number}`, 400);
  fail('invalid_api_key', 401);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('modelwire_requests_total'));
  const labels = 'method="POST",route="/v1/chat/completions"';
  expect(lines).toHaveLength(202);
  expect(lines).toContain(`modelwire_requests_total{${labels},status="401",code="invalid_api_key"} 1`);
  expect(lines).toContain(`modelwire_requests_total{${labels},status="400",code="other"} 50`);
});

test('counts each of many requests, generations and attempts with its own labels and values', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true, includeProjectLabel: true });
  const failed = new Error('engine failed');
  const disconnected = Object.assign(new Error('closed'), { code: 'client_disconnected' });
  const countUpTo = async (requests: number): Promise<void> => {
    for (let number = 0; number < requests; number++) {
      const observation = observer.startRequest({ ...request, header: () => null });
      const isStreamed = number % 2 === 0;
      const generation = observation.startGeneration({
        ...{ operation: 'chat', engine: 'e', isRemote: false, queuedMs: 0, isStreamed },
        ...{ model: `m${number % 3}`, project: 'p' },
      });
      generation
        .startUpstreamAttempt({
          ...{ model: 'm', method: 'POST', origin: 'http://u', path: '/', number: 1 },
          upstream: `u${number % 2}`,
        })
        .end(number % 3 === 0 ? { status: 200 } : number % 3 === 1 ? { failure: 'timeout' } : { aborted: true });
      const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
      generation.end({
        finishReasons: [],
        ...(number % 3 === 0
          ? { usage: { ...usage, prompt_tokens_details: { cached_tokens: 4 } }, firstTokenAt: performance.now() }
          : { usage: undefined, firstTokenAt: undefined, error: number % 6 === 5 ? disconnected : failed }),
      });
      observation.end({
        ...{ requestId: 'req_1', durationMs: number % 2 === 0 ? 1000 : 3000, project: 'p' },
        ...(number % 3 === 0 ? { status: 200, streamed: isStreamed } : { status: 502, error: 'engine_failed' }),
        ...(number % 6 === 5 && { aborted: true }),
      });
    }
  };
  await countUpTo(200);
  expect(await registry.metrics()).toContain('outcome="completed"} 67\n');
  await countUpTo(100);
  const text = await registry.metrics();
  const route = 'route="/v1/chat/completions"';
  for (const line of [
    `modelwire_requests_total{method="POST",${route},status="200",code="",project="p"} 101`,
    `modelwire_requests_total{method="POST",${route},status="502",code="engine_failed",project="p"} 199`,
    `modelwire_requests_aborted_total{${route}} 49`,
    `modelwire_streams_total{${route},outcome="completed"} 51`,
    `modelwire_request_duration_seconds_count{${route}} 300`,
    `modelwire_request_duration_seconds_sum{${route}} 600`,
    'modelwire_generations_total{model="m0",operation="chat",outcome="completed"} 101',
    'modelwire_generations_total{model="m1",operation="chat",outcome="failed"} 100',
    'modelwire_generations_total{model="m2",operation="chat",outcome="failed"} 50',
    'modelwire_generations_total{model="m2",operation="chat",outcome="aborted"} 49',
    'modelwire_time_to_first_token_seconds_count{model="m0"} 51',
    'modelwire_tokens_total{model="m0",type="cached",project="p"} 404',
    'modelwire_tokens_total{model="m1",type="input",project="p"} 0',
    'modelwire_upstream_prompt_tokens_total{upstream="u0",type="all"} 510',
    'modelwire_upstream_prompt_tokens_total{upstream="u0",type="cached"} 204',
    'modelwire_upstream_attempts_total{upstream="u0",outcome="succeeded"} 51',
    'modelwire_upstream_attempts_total{upstream="u1",outcome="failed"} 51',
    'modelwire_upstream_attempts_total{upstream="u1",outcome="aborted"} 49',
    'modelwire_upstream_failures_total{upstream="u0",reason="timeout"} 49',
    'modelwire_upstream_attempt_duration_seconds_count{upstream="u1"} 150',
  ])
    expect(text).toContain(`${line}\n`);
});

test('counts the batches that are late until they are on time or have ended', async () => {
  const registry = new Registry();
  const observer = createMetricsObserver(registry, { isListedModel: () => true });
  const batches = ['batch_1', 'batch_2'].map((batch) => observer.startBatch?.({ batch, lines: 10 }));
  const late = async () => (await registry.getSingleMetric('modelwire_batches_late')?.get())?.values[0]?.value;
  expect(await late()).toBe(0);
  for (const batch of batches) batch?.setLate?.(true);
  batches[0]?.setLate?.(true);
  expect(await late()).toBe(2);
  batches[0]?.setLate?.(false);
  expect(await late()).toBe(1);
  batches[1]?.end();
  expect(await late()).toBe(0);
});
