import { StorageLimitError } from '@modelwire/ports';
import type { Principal, StorageLimit } from '@modelwire/ports';
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
    accessEndedBy: undefined,
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

/** A write that stores 1 MB, and the limits with which it was called. */
function recordWrite() {
  const limits: StorageLimit[] = [];
  const write = (limit: StorageLimit) => Promise.resolve(void limits.push(limit));
  return { limits, write, record: 'x'.repeat(MB - 2) };
}

test('a write of a project without a limit is not checked and reads no sum', async () => {
  const { quota, storageBytes } = quotaOf(undefined);
  const { limits, write, record } = recordWrite();
  await quota.write(principal, write);
  await quota.writeRecord(principal, record, write);
  expect(limits).toEqual([{}, {}]);
  expect(storageBytes).not.toHaveBeenCalled();
});

test('the transactions of files, and of all records below 100 MB, check the limit', async () => {
  for (const limit of [100 * MB - 1, 100 * MB]) {
    const { quota } = quotaOf(limit);
    const { limits, write, record } = recordWrite();
    await quota.write(principal, write);
    await quota.writeRecord(principal, record, write);
    expect(limits[0]).toEqual({ maxProjectBytes: limit });
    expect(limits[1]).toEqual(limit < 100 * MB ? { maxProjectBytes: limit } : {});
  }
});

test('a write that the store refuses gets a 403 with the sum', async () => {
  const { quota, use } = quotaOf(100);
  use(99);
  const refused = quota.write(principal, () => Promise.reject(new StorageLimitError()));
  await expect(refused).rejects.toMatchObject(exceeded);
  await expect(refused).rejects.toThrow('stores 99');
});

test('a server stores an eighth of what is left without a check, then it reads the sum again', async () => {
  const { quota, storageBytes, use } = quotaOf(100 * MB);
  const { limits, write, record } = recordWrite();
  use(10 * MB);
  // (90 MB - 10 MB) / 8.
  for (let index = 0; index < 10; index++) await quota.writeRecord(principal, record, write);
  expect(storageBytes).toHaveBeenCalledOnce();
  use(89 * MB);
  await quota.writeRecord(principal, record, write);
  expect(storageBytes).toHaveBeenCalledTimes(2);
  expect(limits).toEqual([...Array.from({ length: 10 }, () => ({})), { maxProjectBytes: 100 * MB }]);
});

test('writes that run while the sum is read count as well', async () => {
  const { quota, use } = quotaOf(100 * MB);
  const { limits, write, record } = recordWrite();
  use(10 * MB);
  const ends: (() => void)[] = [];
  const running = Array.from({ length: 10 }, () =>
    quota.writeRecord(principal, record, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  await vi.waitFor(() => expect(ends).toHaveLength(10));
  // The sum includes none of the 10 MB yet, so that nothing is left without a check.
  await quota.writeRecord(principal, record, write);
  expect(limits).toEqual([{ maxProjectBytes: 100 * MB }]);
  for (const end of ends) end();
  await Promise.all(running);
  use(20 * MB);
  await quota.writeRecord(principal, record, write);
  expect(limits.at(-1)).toEqual({});
});
