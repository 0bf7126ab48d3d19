import { expect, test } from 'vitest';
import { staticKeys } from './static-keys.ts';

const { authenticate } = staticKeys(['first-key', 'second-key'], 'house');

test('knows each key by its number, never by itself', () => {
  expect(authenticate('second-key')).toEqual({ keyId: 'key_2', project: 'house' });
});

test.each(['', 'first-ke', 'first-keyy', 'FIRST-KEY', 'first-keyfirst-key', '\u0000'])('knows no %j', (key) => {
  expect(authenticate(key)).toBeUndefined();
});
