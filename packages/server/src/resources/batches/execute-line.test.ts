import { expect, test } from 'vitest';
import { modelNotFound, RequestError } from '../../errors.ts';
import { retryAfterMs } from './execute-line.ts';

const failed = (status: number, code?: string, headers?: Record<string, string>): RequestError =>
  new RequestError('no', { status, ...(code !== undefined && { code }), ...(headers && { headers }) });

test.each([
  ['a reply', undefined],
  ['a wrong request', failed(400)],
  ['an unknown model', failed(404, 'model_not_found')],
  ['a conflict', failed(409)],
  ['no money left', failed(429, 'insufficient_quota')],
  ['a reply that never fits', failed(502, 'invalid_output')],
  ['a key that the upstream refuses', failed(502, 'upstream_authentication_failed')],
  ['what no engine does', failed(501)],
  ['a version that is not spoken', failed(505)],
])('%s is not retried', (_, error) => {
  expect(retryAfterMs(error, 1, 500)).toBeUndefined();
});

test.each([429, 503, 507])('a %i is always retried, with delays that increase up to a minute', (status) => {
  for (const [tries, least, most] of [
    [1, 375, 500],
    [2, 750, 1000],
    [8, 45_000, 60_000],
    [10_000, 45_000, 60_000],
  ] as const) {
    const wait = retryAfterMs(failed(status), tries, 500);
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(most);
  }
});

test.each([408, 500, 502, 504])('a %i is tried three times', (status) => {
  expect([1, 2, 3].map((tries) => retryAfterMs(failed(status), tries, 1) !== undefined)).toEqual([true, true, false]);
});

test.each([
  [{ 'retry-after-ms': '90000' }, 90_000],
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after': 'soon' }, 1],
  [{ 'retry-after': '-90' }, 1],
])('waits for the delay requested by %j', (headers, ms) => {
  const wait = retryAfterMs(failed(429, undefined, headers), 1, 1) ?? 0;
  expect(wait).toBeGreaterThan(ms * 0.7);
  expect(wait).toBeLessThanOrEqual(ms);
});

test('waits until a requested date', () => {
  const headers = { 'retry-after': new Date(Date.now() + 100_000).toUTCString() };
  const wait = retryAfterMs(failed(503, undefined, headers), 1, 1) ?? 0;
  expect(wait).toBeGreaterThan(90_000);
  expect(wait).toBeLessThanOrEqual(100_000);
});

test('a model that is unknown because upstreams could not be asked is awaited for a limited time', () => {
  const unknown = modelNotFound('m', [{ name: 'gpu', cause: 'ECONNREFUSED' }]);
  expect(retryAfterMs(unknown, 1, 500, { mayAwaitModel: true })).toBe(5000);
  expect(retryAfterMs(unknown, 1, 500, { mayAwaitModel: false })).toBeUndefined();
  expect(retryAfterMs(modelNotFound('m'), 1, 500, { mayAwaitModel: true })).toBeUndefined();
});
