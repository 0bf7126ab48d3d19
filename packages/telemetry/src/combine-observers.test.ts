import type { Observer, RequestObservation } from '@modelwire/ports';
import { AlwaysOffSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { combineObservers } from './combine-observers.ts';
import { createMetricsObserver } from './metrics-observer.ts';
import { noopObservation } from './observed.ts';
import { createTracing } from './tracing/create-tracing.ts';

const nothing = {
  headers: {},
  end: () => undefined,
  startUpstreamAttempt: () => ({ headers: {}, end: () => undefined }),
};

class Context implements RequestObservation {
  isActive = false;

  run<Result>(handle: () => Result): Result {
    this.isActive = true;
    const result = handle();
    this.isActive = false;
    return result;
  }

  startUpstreamAttempt = () => nothing;
  startQueueWait = () => noopObservation;
  startGeneration = () => nothing;
  startModeration = () => noopObservation;
  startTool = () => noopObservation;
  end = (): void => undefined;
}

const request = { method: 'GET', url: '/v1/models', route: '/v1/models', startedAt: 0, header: () => null };
const observer = (observation: RequestObservation | undefined): Observer => ({ startRequest: () => observation });

test('a request that one observer skips is observed by the other', () => {
  const observation = new Context();
  const skips = observer(undefined);
  expect(combineObservers(observer(observation), skips).startRequest(request)).toBe(observation);
  expect(combineObservers(skips, observer(observation)).startRequest(request)).toBe(observation);
  expect(combineObservers(skips, skips).startRequest(request)).toBeUndefined();
});

test('the second observer runs a request once, even if its handler returns undefined', () => {
  const context = new Context();
  const combined = combineObservers(observer(new Context()), observer(context));
  const handle = vi.fn(() => {
    expect(context.isActive).toBe(true);
  });
  combined.startRequest(request)?.run?.(handle);
  expect(handle).toHaveBeenCalledTimes(1);
});

test('the metrics of a request that is not sampled pass its trace context to upstreams', async () => {
  const registry = new Registry();
  const metrics = createMetricsObserver(registry, { isListedModel: () => true });
  const provider = new TracerProvider({ sampler: new AlwaysOffSampler() });
  const tracing = createTracing({ tracer: provider.getTracer('test') });
  const { startRequest } = combineObservers(metrics, tracing.observer);
  const attempt = { upstream: 'u', model: 'm', method: 'POST', origin: 'http://u', path: '/', number: 1 } as const;

  const own = startRequest(request);
  const first = own?.startUpstreamAttempt(attempt);
  expect(own?.traceHeaders?.()).toEqual(first?.headers);
  expect(first?.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  const generation = own?.startGeneration({
    ...{ operation: 'chat', engine: 'e', isRemote: true, model: 'm', project: 'p', isStreamed: false, queuedMs: 0 },
  });
  expect(generation?.startUpstreamAttempt({ ...attempt, number: 2 }).headers).toEqual(first?.headers);
  first?.end({ status: 200 });
  own?.end({ requestId: 'req_1', status: 200, durationMs: 1 });

  const traceId = 'a'.repeat(32);
  const clientHeaders: Readonly<Record<string, string>> = {
    traceparent: `00-${traceId}-${'b'.repeat(16)}-01`,
    tracestate: 'vendor=1',
  };
  const continued = startRequest({ ...request, header: (name) => clientHeaders[name] ?? null });
  expect(continued?.startUpstreamAttempt(attempt).headers).toEqual({
    traceparent: expect.stringMatching(`^00-${traceId}-[\\da-f]{16}-00$`) as string,
    tracestate: 'vendor=1',
  });

  expect(await registry.metrics()).toContain('modelwire_upstream_attempts_total{upstream="u",outcome="succeeded"} 1\n');
});
