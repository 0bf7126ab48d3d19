import { describe, expect, test, vi } from 'vitest';
import * as errors from './errors.ts';

const { apiError, isModelwireError, ModelwireError, RateLimitError, StreamError, TimeoutError } = errors;

test('every error is a ModelwireError and an Error, named by its class', () => {
  const instances = [
    apiError(429, 'x', {}),
    new errors.AbortError('x'),
    new errors.ConnectionError('x'),
    new errors.DecodeError('x'),
    new errors.InputError('x'),
    new StreamError('truncated', 'x'),
    new TimeoutError('idle', 5),
  ];
  const names = [
    'RateLimitError',
    'AbortError',
    'ConnectionError',
    'DecodeError',
    'InputError',
    'StreamError',
    'TimeoutError',
  ];
  expect(instances.map(({ name }) => name)).toEqual(names);
  for (const error of instances) {
    expect(error).toBeInstanceOf(ModelwireError);
    expect(error).toBeInstanceOf(Error);
    expect(isModelwireError(error)).toBe(true);
    expect([error.requestId, error.attempts]).toEqual([undefined, []]);
    expect(error.status).toBe(error instanceof RateLimitError ? 429 : undefined);
  }
});

test('the class follows the status', () => {
  const limited = apiError(429, 'x', {});
  expect(limited).toBeInstanceOf(RateLimitError);
  expect(limited).toBeInstanceOf(errors.ApiError);
  expect(limited).not.toBeInstanceOf(errors.ServerError);
  expect(apiError(503, 'x', {})).toBeInstanceOf(errors.ServerError);
  expect(apiError(418, 'x', {}).name).toBe('ApiError');
});

describe('across two copies of the package', () => {
  test('instanceof ModelwireError and isModelwireError match, and do not match other errors', async () => {
    vi.resetModules();
    const copy = await import('./errors.ts');
    expect(copy.ModelwireError).not.toBe(ModelwireError);
    const foreign = new copy.RateLimitError('x');
    expect(foreign).toBeInstanceOf(ModelwireError);
    expect(isModelwireError(foreign)).toBe(true);
    expect(foreign).not.toBeInstanceOf(RateLimitError);
    for (const other of [new Error('x'), null, undefined, 'x', {}]) {
      expect(isModelwireError(other)).toBe(false);
      expect(other).not.toBeInstanceOf(ModelwireError);
    }
  });
});

test('JSON has what a log needs, without headers, body and cause', () => {
  const error = apiError(404, 'No model.', {
    requestId: 'req_1',
    code: 'model_not_found',
    headers: new Headers({ 'set-cookie': 'secret' }),
    body: 'secret',
    cause: new Error('secret'),
    attempts: [{ durationMs: 1, status: 404 }],
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NotFoundError',
    message: 'No model.',
    status: 404,
    request_id: 'req_1',
    code: 'model_not_found',
    attempts: [{ durationMs: 1, status: 404 }],
  });
});
