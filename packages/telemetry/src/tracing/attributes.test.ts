import type { Attributes } from '@opentelemetry/api';
import type { ObservedGeneration } from '@modelwire/ports';
import { chatRequestDefaults } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import {
  attemptOutcomeAttributes,
  attemptDescription,
  generationDescription,
  requestDescription,
  storageOperationDescription,
  finishReasonAttributes,
  requestOutcomeAttributes,
  userAgentAttributes,
} from './attributes.ts';
import { SharedAttributes, SpanDescription } from './span-description.ts';
import type { LazyDescription, LazyAttributes } from './tracing-span.ts';

function valuesOf(given: LazyDescription | LazyAttributes | Attributes): unknown {
  const value = typeof given === 'function' ? given() : given;
  if (value instanceof SpanDescription) return { name: value.name, kind: value.kind, ...value.attributes };
  return value instanceof SharedAttributes ? value.values : value;
}

const request = { method: 'GET', url: '/v1/files/a?b=c', route: '/v1/files/{file}' };

const chatRequest = { ...chatRequestDefaults, model: 'm', messages: [] };
const generation: ObservedGeneration = {
  operation: 'chat',
  engine: 'simulator',
  isRemote: false,
  model: 'm',
  project: 'default',
  isStreamed: false,
  queuedMs: 0,
  request: chatRequest,
};
const generationWith = (parameters: Partial<typeof chatRequestDefaults>): LazyDescription =>
  generationDescription({ ...generation, request: { ...chatRequest, ...parameters } });

const outcome = { requestId: 'req_1', status: 200, durationMs: 1, project: 'p', model: 'm' };
const attempt = { upstream: 'u', model: 'm', method: 'POST', origin: 'http://gpu:8000', path: '/v1', number: 1 };

/** Different inputs for each cache. Most of them have the same key. */
const cases: Readonly<Record<string, readonly (LazyDescription | LazyAttributes | Attributes)[]>> = {
  requests: [
    requestDescription(request),
    requestDescription({ ...request, method: 'BREW' }),
    requestDescription({ ...request, url: '/v1/files/b' }),
    requestDescription({ ...request, url: 'https://host/v1/files/a' }),
    requestDescription({ ...request, url: 'http://host/v1/files/a', batchLine: { batch: 'b', customId: 'c' } }),
    requestDescription({ ...request, route: undefined }),
  ],
  generations: [
    generationDescription(generation),
    generationDescription({ ...generation, operation: 'text_completion' }),
    generationDescription({ ...generation, engine: 'other' }),
    generationDescription({ ...generation, isRemote: true }),
    generationDescription({ ...generation, isStreamed: true }),
    generationDescription({ ...generation, request: undefined }),
    generationWith({ temperature: 0 }),
    generationWith({ top_p: 0.5 }),
    generationWith({ max_completion_tokens: 5 }),
    generationWith({ frequency_penalty: 1 }),
    generationWith({ presence_penalty: 1 }),
    generationWith({ n: 2 }),
    generationWith({ seed: 0 }),
    generationWith({ seed: 1152921504606846983n }),
    generationWith({ response_format: { type: 'json_object' } }),
  ],
  'request outcomes': [
    requestOutcomeAttributes(outcome),
    requestOutcomeAttributes({ ...outcome, status: 500 }),
    requestOutcomeAttributes({ ...outcome, status: 500, error: 'internal_error' }),
    requestOutcomeAttributes({ ...outcome, error: 'internal_error' }),
    requestOutcomeAttributes({ ...outcome, error: 'internal_error', streamed: true }),
    requestOutcomeAttributes({ ...outcome, aborted: true }),
    requestOutcomeAttributes({ ...outcome, project: undefined }),
    requestOutcomeAttributes({ ...outcome, upstream: 'u' }),
  ],
  attempts: [
    attemptDescription(attempt),
    attemptDescription({ ...attempt, method: 'GET' }),
    attemptDescription({ ...attempt, origin: 'https://gpu' }),
    attemptDescription({ ...attempt, path: '/v2' }),
    attemptDescription({ ...attempt, number: 2 }),
  ],
  'attempt outcomes': [
    attemptOutcomeAttributes({ status: 200 }),
    attemptOutcomeAttributes({ status: 201 }),
    attemptOutcomeAttributes({ aborted: true }),
    attemptOutcomeAttributes({}),
    attemptOutcomeAttributes({ failure: 'timeout' }),
    attemptOutcomeAttributes({ failure: 'timeout', status: 200 }),
    attemptOutcomeAttributes({ failure: 'timeout', status: 500 }),
  ],
  'storage operations': [
    storageOperationDescription('sqlite', 'read'),
    storageOperationDescription('sqlite', 'write'),
    storageOperationDescription('s3', 'read'),
  ],
  'user agents': [userAgentAttributes('a'), userAgentAttributes('b')],
  'finish reasons': [finishReasonAttributes(['stop']), finishReasonAttributes(['length', 'stop'])],
};

describe.each(Object.entries(cases))('%s', (_, reads) => {
  test('have different attributes for different inputs', () => {
    const texts = reads.map((read) => JSON.stringify(valuesOf(read)));
    expect(new Set(texts).size).toBe(reads.length);
  });

  test('have the same attributes after any other input', () => {
    const expected = reads.map(valuesOf);
    for (const [index, read] of reads.entries()) {
      for (const previous of reads) {
        valuesOf(previous);
        expect(valuesOf(read)).toEqual(expected[index]);
        expect(valuesOf(read)).toEqual(expected[index]);
      }
    }
  });
});

test('a long path is not kept', () => {
  const description = requestDescription({ ...request, url: `/v1/${'a'.repeat(300)}` });
  expect(description()).not.toBe(description());
});

test('a seed that is not a safe integer is a text', () => {
  expect(valuesOf(generationWith({ seed: 1152921504606846983n }))).toMatchObject({
    'gen_ai.request.seed': '1152921504606846983',
  });
});

test('equal inputs share their attributes', () => {
  const [first, second] = [generationDescription(generation), generationDescription({ ...generation })];
  expect(second()).toBe(first());
});

test('outcomes with equal attributes share them', () => {
  const whole = requestOutcomeAttributes({ ...outcome, streamed: false, aborted: false });
  const streamed = requestOutcomeAttributes({ ...outcome, streamed: true });
  expect(streamed()).toBe(whole());
  expect(attemptOutcomeAttributes({ status: 200, aborted: false })()).toBe(attemptOutcomeAttributes({ status: 200 })());
});

test('the outcomes of many projects, models and upstreams share their attributes', () => {
  const outcomes = Array.from({ length: 100 }, (_, index) => ({
    ...outcome,
    ...{ project: `project-${index % 20}`, model: `model-${index % 5}`, upstream: `upstream-${index % 2}` },
  }));
  const first = outcomes.map((each) => requestOutcomeAttributes(each)());
  expect(outcomes.map((each) => requestOutcomeAttributes(each)())).toEqual(first);
  for (const [index, each] of outcomes.entries()) expect(requestOutcomeAttributes(each)()).toBe(first[index]);
});

test('attributes with a long project name are not cached', () => {
  const long = { ...outcome, project: 'p'.repeat(1000) };
  const read = (): unknown => valuesOf(requestOutcomeAttributes(long));
  expect(requestOutcomeAttributes(long)()).not.toBe(requestOutcomeAttributes(long)());
  expect(read()).toEqual(read());
});

test('a user agent is truncated', () => {
  expect(valuesOf(userAgentAttributes('a'.repeat(300)))).toEqual({ 'user_agent.original': 'a'.repeat(256) });
});
