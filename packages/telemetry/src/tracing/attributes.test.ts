import { SpanKind } from '@opentelemetry/api';
import type { ObservedGeneration } from '@modelwire/ports';
import { chatRequestDefaults } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import {
  attemptDescription,
  attemptOutcomeAttributes,
  generationDescription,
  requestDescription,
  requestOutcomeAttributes,
  storageOperationDescription,
} from './attributes.ts';

const request = {
  method: 'GET',
  url: '/v1/files/a?b=c',
  route: '/v1/files/{file}',
  header: (): string | null => null,
};
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
const outcome = { requestId: 'req_1', status: 200, durationMs: 1, project: 'p', model: 'm' };
const attempt = { upstream: 'u', model: 'm', method: 'POST', origin: 'https://gpu', path: '/v1', number: 1 };

describe('the span of a request', () => {
  test('is named by its method and route, and has its path without the query', () => {
    expect(requestDescription(request)).toEqual({
      name: 'GET /v1/files/{file}',
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/v1/files/a',
        'url.scheme': 'http',
        'http.route': '/v1/files/{file}',
      },
    });
  });

  test.each([
    [{ url: 'https://host/v1/files/a?b=c' }, { 'url.path': '/v1/files/a', 'url.scheme': 'https' }],
    [{ method: 'BREW', route: undefined }, { 'http.request.method': '_OTHER' }],
  ])('with %o has %o', (given, attributes) => {
    expect(requestDescription({ ...request, ...given }).attributes).toMatchObject(attributes);
  });

  test('has the first 256 characters of texts of clients', () => {
    const long = 'a'.repeat(300);
    const { attributes } = requestDescription({ ...request, url: `/${long}`, header: () => long });
    expect(attributes).toMatchObject({ 'url.path': `/${'a'.repeat(255)}`, 'user_agent.original': 'a'.repeat(256) });
    expect(requestOutcomeAttributes({ ...outcome, model: long })['gen_ai.request.model']).toBe('a'.repeat(256));
  });

  test.each([
    [
      { status: 404, error: 'not_found' },
      { 'modelwire.error.code': 'not_found', 'http.response.status_code': 404 },
    ],
    [{ status: 500, error: 'internal_error' }, { 'error.type': 'internal_error' }],
    [{ status: 502 }, { 'error.type': '502' }],
    [
      { aborted: true, upstream: 'u' },
      { 'modelwire.aborted': true, 'modelwire.upstream': 'u' },
    ],
  ])('that ends with %o has %o', (given, attributes) => {
    expect(requestOutcomeAttributes({ ...outcome, ...given })).toMatchObject(attributes);
  });
});

describe('the span of a generation', () => {
  test('has the parameters of its request that differ from their defaults', () => {
    expect(generationDescription(generation)).toEqual({
      name: 'chat m',
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'simulator',
        'gen_ai.request.model': 'm',
        'gen_ai.request.temperature': 1,
        'gen_ai.request.top_p': 1,
        'gen_ai.output.type': 'text',
      },
    });
  });

  test.each([
    [{ max_completion_tokens: 5 }, { 'gen_ai.request.max_tokens': 5 }],
    [{ frequency_penalty: 1 }, { 'gen_ai.request.frequency_penalty': 1 }],
    [{ presence_penalty: 1 }, { 'gen_ai.request.presence_penalty': 1 }],
    [{ n: 2 }, { 'gen_ai.request.choice.count': 2 }],
    [{ seed: 0 }, { 'gen_ai.request.seed': 0 }],
    [{ seed: 1152921504606846983n }, { 'gen_ai.request.seed': '1152921504606846983' }],
    [{ response_format: { type: 'json_object' as const } }, { 'gen_ai.output.type': 'json' }],
  ])('with %o has %o', (parameters, attributes) => {
    const described = generationDescription({ ...generation, request: { ...chatRequest, ...parameters } });
    expect(described.attributes).toMatchObject(attributes);
  });
});

test('the span of an attempt at an upstream has its address, and how often it was repeated', () => {
  expect(attemptDescription(attempt)).toMatchObject({
    name: 'POST u',
    attributes: { 'server.address': 'gpu', 'server.port': 443, 'url.full': 'https://gpu/v1' },
  });
  expect(attemptDescription(attempt).attributes).not.toHaveProperty('http.request.resend_count');
  expect(attemptDescription({ ...attempt, origin: 'http://gpu:8000', number: 3 }).attributes).toMatchObject({
    'server.port': 8000,
    'http.request.resend_count': 2,
  });
});

test.each([
  [{ status: 200 }, { 'http.response.status_code': 200 }],
  [{ aborted: true }, { 'modelwire.aborted': true }],
  [{ failure: 'timeout' }, { 'error.type': 'timeout' }],
  [
    { failure: 'invalid', status: 200 },
    { 'http.response.status_code': 200, 'error.type': 'invalid' },
  ],
  [
    { failure: 'status', status: 500 },
    { 'http.response.status_code': 500, 'error.type': '500' },
  ],
])('an attempt that ends with %o has %o', (given, attributes) => {
  expect(attemptOutcomeAttributes(given)).toEqual(attributes);
});

test('a storage operation has the attributes of databases, or our own', () => {
  expect(storageOperationDescription('sqlite', 'read')).toEqual({
    name: 'sqlite read',
    attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'read' },
  });
  expect(storageOperationDescription('s3', 'read').attributes).toEqual({
    'modelwire.storage': 's3',
    'modelwire.storage.operation': 'read',
  });
});
