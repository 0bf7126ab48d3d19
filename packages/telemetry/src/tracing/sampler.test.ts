import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { createSampler } from './sampler.ts';
import type { SamplerName } from './sampler.ts';

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceState: undefined };

test.each<[SamplerName, number, boolean | undefined, boolean | undefined, boolean | undefined]>([
  ['always_on', 0, true, true, true],
  ['always_off', 1, false, false, false],
  ['parentbased_always_on', 0, true, true, false],
  ['parentbased_always_off', 1, false, true, false],
  ['parentbased_traceidratio', 1, true, true, false],
  ['parentbased_traceidratio', 0, false, true, false],
  ['traceidratio', 1, true, true, true],
  ['traceidratio', 0, false, false, false],
])(
  '%s %d samples: without a parent %s, with a sampled parent %s, with an unsampled parent %s',
  (name, ratio, ...expected) => {
    const { isSampled } = createSampler(name, ratio);
    const decisions = [undefined, { ...parent, isSampled: true }, { ...parent, isSampled: false }].map(isSampled);
    expect(decisions).toEqual(expected);
  },
);

test.each([0.001, 0.1, 0.5, 0.9, 1])('samplers of other services with the ratio %d make the same decision', (ratio) => {
  const { idGenerator, unsampledTraceparent } = createSampler('parentbased_traceidratio', ratio);
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const isSampled = (id: string): boolean =>
    sampler.shouldSample(ROOT_CONTEXT, id).decision === SamplingDecision.RECORD_AND_SAMPLED;
  const unsampled = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const id = idGenerator.generateTraceId();
    expect(id).toMatch(/^[\da-f]{32}$/);
    expect(isSampled(id)).toBe(true);
    const traceparent = unsampledTraceparent();
    expect(traceparent).toMatch(/^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-00$/);
    unsampled.add(traceparent);
    if (ratio < 1) expect(isSampled(traceparent.slice(3, 35))).toBe(false);
  }
  expect(unsampled.size).toBe(200);
});

test('samples approximately the ratio of requests', () => {
  const { isSampled } = createSampler('traceidratio', 0.1);
  const sampled = Array.from({ length: 20_000 }, () => isSampled(undefined)).filter(Boolean).length;
  expect(sampled).toBeGreaterThan(1600);
  expect(sampled).toBeLessThan(2400);
});
