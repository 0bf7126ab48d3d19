import { StorageLimitError } from '@modelwire/ports';
import type { Principal, StorageLimit } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { createStorageQuota } from './storage-quota.ts';
import type { Policy } from './policies.ts';

const principal: Principal = { keyId: 'key_1', project: 'p', role: 'full' };
const exceeded = { status: 403, code: 'storage_quota_exceeded' };

function quotaOf(limit: number | undefined, used = 0) {
  const storageBytes = vi.fn(async () => used);
  const policy: Policy = {
    accessEndedBy: undefined,
    allowedModels: [],
    maxOutputTokens: undefined,
    storageLimitBytes: limit,
    budgetSubjects: [],
    budgetUnits: new Set(),
  };
  return { quota: createStorageQuota({ keys: { storageBytes }, policies: { get: () => policy } }), storageBytes };
}

test('a project without a limit is not checked and reads no sum', async () => {
  const { quota, storageBytes } = quotaOf(undefined);
  await quota.assertHasSpace(principal);
  await quota.assertHasSpace(principal, 1);
  expect(await quota.write(principal, async (limit: StorageLimit) => limit)).toEqual({});
  expect(storageBytes).not.toHaveBeenCalled();
});

test('bytes fit until the sum is the limit', async () => {
  const { quota } = quotaOf(100, 80);
  await quota.assertHasSpace(principal, 20);
  await expect(quota.assertHasSpace(principal, 21)).rejects.toMatchObject(exceeded);
});

test('a project at its limit may store nothing more, not even bytes whose number is not known', async () => {
  await quotaOf(100, 99).quota.assertHasSpace(principal);
  await expect(quotaOf(100, 100).quota.assertHasSpace(principal)).rejects.toMatchObject(exceeded);
  await expect(quotaOf(0).quota.assertHasSpace(principal)).rejects.toMatchObject(exceeded);
});

test('the transaction of a write checks the limit', async () => {
  const { quota, storageBytes } = quotaOf(100);
  expect(await quota.write(principal, async (limit) => limit)).toEqual({ maxProjectBytes: 100 });
  expect(storageBytes).not.toHaveBeenCalled();
});

test('a write that the store refuses gets a 403 with the sum; other errors stay what they are', async () => {
  const { quota } = quotaOf(100, 99);
  const refused = quota.write(principal, () => Promise.reject(new StorageLimitError()));
  await expect(refused).rejects.toMatchObject(exceeded);
  await expect(refused).rejects.toThrow('stores 99');
  const other = new Error('other');
  await expect(quota.write(principal, () => Promise.reject(other))).rejects.toBe(other);
});
