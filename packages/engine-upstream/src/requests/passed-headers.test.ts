import { expect, test } from 'vitest';
import { passedHeaders } from './passed-headers.ts';

const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toUTCString();

test.each([
  ['retry-after', '0'],
  ['retry-after', '86400'],
  ['retry-after', inAnHour],
  ['retry-after', 'Thu, 01 Jan 2015 00:00:00 GMT'],
  ['retry-after-ms', '86400000'],
  ['x-should-retry', 'true'],
  ['x-ratelimit-limit-requests', '100'],
  ['x-ratelimit-remaining-tokens', '-1'],
  ['x-ratelimit-reset-tokens', '6m0.5s'],
  ['x-ratelimit-reset', '2026-01-01T00:00:00Z'],
])('passes %s: %s on', (name, value) => {
  expect(passedHeaders({ [name]: value })).toEqual({ [name]: value });
});

test.each([
  ['retry-after', '86401'],
  ['retry-after', '-1'],
  ['retry-after', '1e9'],
  ['retry-after', 'soon'],
  ['retry-after', ''],
  ['retry-after', '9'.repeat(400)],
  ['retry-after', inTwoDays],
  ['retry-after', 'Thu, 99 Foo 2015 00:00:00 GMT'],
  ['retry-after-ms', '86400001'],
  ['retry-after-ms', '1.5'],
  ['x-should-retry', 'perhaps'],
  ['x-ratelimit-limit-requests', 'sk-secret'],
  ['x-ratelimit-limit-requests', '1'.repeat(41)],
  [`x-ratelimit-${'x'.repeat(61)}`, '1'],
  ['x-internal', '1'],
  ['set-cookie', '1'],
])('drops %s: %s', (name, value) => {
  expect(passedHeaders({ [name]: value })).toEqual({});
});

test('drops repeated headers', () => {
  expect(passedHeaders({ 'x-ratelimit-limit': ['1', '2'] })).toEqual({});
});
