import { expect, test } from 'vitest';
import { storageCheck } from './storage-check.ts';

const well = { check: () => Promise.resolve() };
const broken = { check: () => Promise.reject(new Error('no')) };

test('what cannot be written to is named', async () => {
  expect(await storageCheck(well, well)()).toBeUndefined();
  expect(await storageCheck(broken, well)()).toBe('the database cannot be written to');
  expect(await storageCheck(well, broken)()).toBe('the bytes of files cannot be written');
});

test('probes that come soon after each other ask once', async () => {
  let asked = 0;
  const counted = { check: () => (asked++, Promise.resolve()) };
  const check = storageCheck(counted, well);
  await Promise.all([check(), check()]);
  await check();
  expect(asked).toBe(1);
});
