import { expect, test } from 'vitest';
import { createDailyKeyFormatter } from './daily-key.ts';

const fields = { day: 1, project: 'p', keyId: 'k', model: 'm' };

test('gives equal keys for equal fields, whatever came between, and other keys when any field differs', () => {
  const keyOf = createDailyKeyFormatter();
  const key = keyOf(fields);
  for (const other of [{ day: 2 }, { project: 'q' }, { keyId: 'l' }, { model: 'n' }]) {
    expect(keyOf({ ...fields })).toBe(key);
    expect(keyOf({ ...fields, ...other })).not.toBe(key);
  }
  expect(keyOf(fields)).toBe(key);
});
