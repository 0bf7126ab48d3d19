import { expect, test } from 'vitest';
import { storageCheck } from './storage-check.ts';

const healthy = { check: () => Promise.resolve() };
const broken = { check: () => Promise.reject(new Error('no')) };

test('names the storage that is not writable', async () => {
  expect(await storageCheck(healthy, healthy)()).toEqual({ database: undefined, files: undefined });
  expect(await storageCheck(broken, healthy)()).toEqual({ database: 'cannot write to the database', files: undefined });
  expect(await storageCheck(healthy, broken)()).toEqual({ database: undefined, files: 'cannot write file contents' });
});

test('probes within a few seconds share one check', async () => {
  let checks = 0;
  const counted = { check: () => (checks++, Promise.resolve()) };
  const check = storageCheck(counted, healthy);
  await Promise.all([check(), check()]);
  await check();
  expect(checks).toBe(1);
});
