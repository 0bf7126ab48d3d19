import { expect, test } from 'vitest';
import { parseRange } from './send-content.ts';

const etag = '"file-1"';

test.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=2-5', { start: 2, end: 6 }],
  ['bytes=8-', { start: 8, end: 10 }],
  ['bytes=8-99', { start: 8, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-99', { start: 0, end: 10 }],
  ['Bytes = 1 - 2', { start: 1, end: 3 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=999999999999999-', 'unsatisfiable'],
  // Any number of digits is a position (RFC 9110, section 14.1.2), and one beyond the end.
  ['bytes=0-99999999999999999999999', { start: 0, end: 10 }],
  ['bytes=-99999999999999999999999', { start: 0, end: 10 }],
  ['bytes=99999999999999999999999-', 'unsatisfiable'],
])('of 10 bytes %s is %j', (range, expected) => {
  expect(parseRange(range, null, { bytes: 10, etag })).toEqual(expected);
});

test.each([
  null,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=0-1,4-5',
  'lines=0-1',
  'bytes=1e3-',
])('%s requests the whole content', (range) => {
  expect(parseRange(range, null, { bytes: 10, etag })).toBeUndefined();
});

test('empty content has no range', () => {
  expect(parseRange('bytes=0-', null, { bytes: 0, etag })).toBe('unsatisfiable');
});

test('returns the whole content if If-Range does not match', () => {
  expect(parseRange('bytes=1-2', etag, { bytes: 10, etag })).toEqual({ start: 1, end: 3 });
  expect(parseRange('bytes=1-2', '"file-2"', { bytes: 10, etag })).toBeUndefined();
  expect(parseRange('bytes=1-2', 'Sat, 21 Nov 2026 10:00:00 GMT', { bytes: 10, etag })).toBeUndefined();
});
