import { expect, test } from 'vitest';
import { staticKeys } from './static-keys.ts';

const { authenticate } = staticKeys(['first-key', 'second-key'], 'house');

test('identifies each key by its number, never by its value', () => {
  expect(authenticate('second-key')).toEqual({ keyId: 'key_2', project: 'house' });
});

test.each(['', 'first-ke', 'first-keyy', 'FIRST-KEY', 'first-keyfirst-key', '\u0000'])('refuses %j', (key) => {
  expect(authenticate(key)).toBeUndefined();
});
