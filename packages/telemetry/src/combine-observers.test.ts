import type { Observer, RequestObservation } from '@modelwire/ports';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { combineObservers } from './combine-observers.ts';
import { createMetricsObserver, RequestMetrics } from './metrics-observer.ts';
import { noopObservation } from './noop-observation.ts';
import { createTracingFrom } from './tracing/create-tracing.ts';
import { createSampler } from './tracing/sampler.ts';

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
  const startSpan = vi.fn();
  const tracing = createTracingFrom(startSpan, { sampler: createSampler('always_off', 0) });
  const { startRequest } = combineObservers(metrics, tracing.observer);
  const attempt = { upstream: 'u', model: 'm', method: 'POST', origin: 'http://u', path: '/', number: 1 } as const;

  const own = startRequest(request);
  expect(own).toBeInstanceOf(RequestMetrics);
  const first = own?.startUpstreamAttempt(attempt);
  expect(own?.traceHeaders?.()).toEqual(first?.headers);
  expect(first?.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  const generation = own?.startGeneration({
    ...{ operation: 'chat', engine: 'e', isRemote: true, model: 'm', project: 'p', isStreamed: false, queuedMs: 0 },
  });
  expect(generation?.startUpstreamAttempt({ ...attempt, number: 2 }).headers).toEqual(first?.headers);
  first?.end({ status: 200 });
  own?.end({ requestId: 'req_1', status: 200, durationMs: 1 });

  const ids = `00-${'a'.repeat(32)}-${'b'.repeat(16)}`;
  const clientHeaders: Readonly<Record<string, string>> = { traceparent: `${ids}-01`, tracestate: 'vendor=1' };
  const continued = startRequest({ ...request, header: (name) => clientHeaders[name] ?? null });
  expect(continued?.startUpstreamAttempt(attempt).headers).toEqual({
    traceparent: `${ids}-00`,
    tracestate: 'vendor=1',
  });

  expect(startSpan).not.toHaveBeenCalled();
  expect(await registry.metrics()).toContain('modelwire_upstream_attempts_total{upstream="u",outcome="succeeded"} 1\n');
});
