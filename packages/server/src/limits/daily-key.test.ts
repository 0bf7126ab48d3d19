import { expect, test } from 'vitest';
import { createDailyKeyFormatter } from './daily-key.ts';

const fields = { day: 1, project: 'p', keyId: 'k', model: 'm' };

test('returns equal keys for equal fields, also after other fields, and a different key when any field differs', () => {
  const keyOf = createDailyKeyFormatter();
  const key = keyOf(fields);
  for (const other of [{ day: 2 }, { project: 'q' }, { keyId: 'l' }, { model: 'n' }]) {
    expect(keyOf({ ...fields })).toBe(key);
    expect(keyOf({ ...fields, ...other })).not.toBe(key);
  }
  expect(keyOf(fields)).toBe(key);
});
