import type { Principal } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { createStorageQuota } from './storage-quota.ts';
import type { Policy } from './policies.ts';

const MB = 1_000_000;
const principal: Principal = { keyId: 'key_1', project: 'p', role: 'full' };

function quotaOf(limit: number | undefined) {
  let used = 0;
  let time = 0;
  const storageBytes = vi.fn(async () => used);
  const policy: Policy = {
    allowedModels: [],
    maxOutputTokens: undefined,
    storageLimitBytes: limit,
    budgetSubjects: [],
    budgetUnits: new Set(),
  };
  return {
    quota: createStorageQuota({ keys: { storageBytes }, policies: { get: () => policy }, now: () => time }),
    storageBytes,
    use: (bytes: number) => (used = bytes),
    advance: (ms: number) => (time += ms),
  };
}

const exceeded = { status: 403, code: 'storage_quota_exceeded' };

test('reads no sum for a project without a limit', async () => {
  const { quota, storageBytes } = quotaOf(undefined);
  await quota.assertHasSpace(principal);
  await quota.assertHasSpaceFor(principal, 1);
  expect(storageBytes).not.toHaveBeenCalled();
});

test('completions and responses read a large sum once in five seconds', async () => {
  const { quota, storageBytes, use, advance } = quotaOf(100 * MB);
  use(50 * MB);
  for (let request = 0; request < 3; request++) await quota.assertHasSpace(principal);
  advance(4999);
  await quota.assertHasSpace(principal);
  expect(storageBytes).toHaveBeenCalledOnce();
  use(100 * MB);
  advance(1);
  await expect(quota.assertHasSpace(principal)).rejects.toMatchObject(exceeded);
  use(99 * MB);
  await quota.assertHasSpace(principal);
});

test('concurrent requests share one read', async () => {
  const { quota, storageBytes } = quotaOf(100);
  await Promise.all([1, 2, 3].map(() => quota.assertHasSpace(principal)));
  expect(storageBytes).toHaveBeenCalledOnce();
});

test.each([
  ['nine tenths of the limit are used', 90 * MB],
  ['less than 10 MB are used', 9 * MB],
])('each request reads the sum when %s', async (_when, used) => {
  const { quota, storageBytes, use } = quotaOf(100 * MB);
  use(used);
  await quota.assertHasSpace(principal);
  use(100 * MB);
  await expect(quota.assertHasSpace(principal)).rejects.toMatchObject(exceeded);
  expect(storageBytes).toHaveBeenCalledTimes(2);
});

test('files and uploads always read the sum, which later completions use', async () => {
  const { quota, storageBytes, use } = quotaOf(100 * MB);
  use(80 * MB);
  await quota.assertHasSpace(principal);
  await quota.assertHasSpaceFor(principal, 20 * MB);
  await expect(quota.assertHasSpaceFor(principal, 20 * MB + 1)).rejects.toMatchObject(exceeded);
  await quota.assertHasSpace(principal);
  expect(storageBytes).toHaveBeenCalledTimes(3);
});
