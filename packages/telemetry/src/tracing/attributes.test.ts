import type { Attributes } from '@opentelemetry/api';
import type { ObservedGeneration } from '@modelwire/ports';
import { chatRequestDefaults } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import {
  attemptOutcomeAttributes,
  describeAttempt,
  describeGeneration,
  describeRequest,
  describeStorageOperation,
  finishReasonAttributes,
  requestOutcomeAttributes,
  userAgentAttributes,
} from './attributes.ts';
import { SharedAttributes, SpanDescription } from './span-description.ts';
import type { Describe, ReadAttributes } from './tracing-span.ts';

function valuesOf(read: Describe | ReadAttributes): unknown {
  const value = read();
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
const generationWith = (parameters: Partial<typeof chatRequestDefaults>): Describe =>
  describeGeneration({ ...generation, request: { ...chatRequest, ...parameters } });

const outcome = { requestId: 'req_1', status: 200, durationMs: 1, project: 'p', model: 'm' };
const attempt = { upstream: 'u', model: 'm', method: 'POST', origin: 'http://gpu:8000', path: '/v1', number: 1 };

/** Each with another input for the same key. */
const cases: Readonly<Record<string, readonly (Describe | ReadAttributes)[]>> = {
  requests: [
    describeRequest(request),
    describeRequest({ ...request, method: 'BREW' }),
    describeRequest({ ...request, url: '/v1/files/b' }),
    describeRequest({ ...request, url: 'https://host/v1/files/a' }),
    describeRequest({ ...request, url: 'http://host/v1/files/a', batchLine: { batch: 'b', customId: 'c' } }),
    describeRequest({ ...request, route: undefined }),
  ],
  generations: [
    describeGeneration(generation),
    describeGeneration({ ...generation, operation: 'text_completion' }),
    describeGeneration({ ...generation, engine: 'other' }),
    describeGeneration({ ...generation, isRemote: true }),
    describeGeneration({ ...generation, isStreamed: true }),
    describeGeneration({ ...generation, request: undefined }),
    generationWith({ temperature: 0 }),
    generationWith({ top_p: 0.5 }),
    generationWith({ max_completion_tokens: 5 }),
    generationWith({ frequency_penalty: 1 }),
    generationWith({ presence_penalty: 1 }),
    generationWith({ n: 2 }),
    generationWith({ seed: 0 }),
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
    describeAttempt(attempt),
    describeAttempt({ ...attempt, method: 'GET' }),
    describeAttempt({ ...attempt, origin: 'https://gpu' }),
    describeAttempt({ ...attempt, path: '/v2' }),
    describeAttempt({ ...attempt, number: 2 }),
  ],
  'attempt outcomes': [
    attemptOutcomeAttributes({ status: 200 }),
    attemptOutcomeAttributes({ status: 201 }),
    attemptOutcomeAttributes({ aborted: true }),
    attemptOutcomeAttributes({ failure: 'timeout' }),
    attemptOutcomeAttributes({ failure: 'timeout', status: 200 }),
    attemptOutcomeAttributes({ failure: 'timeout', status: 500 }),
  ],
  'storage operations': [describeStorageOperation('sqlite', 'read'), describeStorageOperation('s3', 'read')],
  'user agents': [userAgentAttributes('a'), userAgentAttributes('b')],
  'finish reasons': [finishReasonAttributes(['stop']), finishReasonAttributes(['length', 'stop'])],
};

describe.each(Object.entries(cases))('%s', (_, reads) => {
  test('have different attributes for different inputs', () => {
    const texts = reads.map((read) => JSON.stringify(valuesOf(read)));
    expect(new Set(texts).size).toBe(reads.length);
  });

  test('have the same attributes whichever input was the last one', () => {
    const expected = reads.map(valuesOf);
    for (const [index, read] of reads.entries()) {
      for (const before of reads) {
        before();
        expect(valuesOf(read)).toEqual(expected[index]);
        expect(valuesOf(read)).toEqual(expected[index]);
      }
    }
  });
});

test('equal inputs share their attributes', () => {
  const [first, second] = [describeGeneration(generation), describeGeneration({ ...generation })];
  expect(second()).toBe(first());
});

test('values that clients choose are not kept if they are long', () => {
  const long = { ...outcome, model: 'm'.repeat(1000) };
  const read = (): unknown => valuesOf(requestOutcomeAttributes(long));
  expect(requestOutcomeAttributes(long)()).not.toBe(requestOutcomeAttributes(long)());
  expect(read()).toEqual(read());
});

test('a user agent is truncated', () => {
  const { 'user_agent.original': text } = valuesOf(userAgentAttributes('a'.repeat(300))) as Attributes;
  expect(text).toBe('a'.repeat(256));
});
