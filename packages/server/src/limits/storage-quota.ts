import { StorageLimitError } from '@modelwire/ports';
import type { KeyStore, Principal, StorageLimit } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Policies } from './policies.ts';

/** Checks storage limits of projects. */
export interface StorageQuota {
  /**
   * Checks that a project may store this many more bytes, before they are received. Only `write` ensures that they fit when they are stored.
   *
   * @throws a 403 when its files, stored completions and stored responses would exceed its storage limit.
   */
  assertHasSpaceFor(principal: Principal, bytes: number): Promise<void>;
  /**
   * Checks that a project is below its limit, before a completion or a response is stored, whose size is not known yet. A sum of at least
   * 10 MB and less than nine tenths of the limit is used for up to five seconds.
   *
   * @throws a 403 when its files, stored completions and stored responses have reached its storage limit.
   */
  assertHasSpace(principal: Principal): Promise<void>;
  /**
   * Runs a write that checks the limit in its transaction, so that concurrent writes on any replica do not exceed it together. A project without
   * a limit costs no query.
   *
   * @throws a 403 when the project would exceed its storage limit; then nothing is stored.
   */
  write<Result>(principal: Principal, write: StorageWrite<Result>): Promise<Result>;
  /**
   * Like `write`, for completions and responses, which are small and many: the check takes as long as reading the sum, and writes of a project
   * wait for each other. While a limit of at least 100 MB is far away, they are stored without it. See `maxUncheckedBytes`.
   */
  writeRecord<Result>(principal: Principal, record: unknown, write: StorageWrite<Result>): Promise<Result>;
}

/** Stores something, with the limit that the transaction checks. */
export type StorageWrite<Result> = (limit: StorageLimit) => Promise<Result>;

interface StorageQuotaInit {
  readonly keys: Pick<KeyStore, 'storageBytes'>;
  readonly policies: Policies;
  /** Milliseconds for which a sum is cached. Default 5000. */
  readonly cacheTtlMs?: number;
  /** Maximum number of projects whose sums are cached. Default 1000. */
  readonly cacheSize?: number;
  /** Milliseconds; for tests. Default: a monotonic clock. */
  readonly now?: () => number;
}

interface CachedSum {
  readonly bytes: number;
  readonly readAt: number;
  /** Bytes of the writes without a check that the sum may not include: they were running when it was read, or started later. */
  uncheckedBytes: number;
}

/** Bytes of the writes without a check of a project. */
interface UncheckedWrites {
  startedBytes: number;
  endedBytes: number;
}

/** Only sums from this size on are cached: computing a smaller one takes about a millisecond. */
const minCachedBytes = 10_000_000;
/** The part of the limit up to which a cached sum is used: beyond it, little could be stored before the limit is reached. */
const maxCachedShare = 0.9;
/** Below this limit, the transaction of each completion and response checks it: reading the sum takes milliseconds. */
const minUncheckedLimit = 100_000_000;

/**
 * How many bytes a replica may store without a check after it has read the sum: an eighth of what is left up to nine tenths of the limit. So
 * the limit is exceeded only if others store a tenth of it within the lifetime of a sum, and then by at most this for each replica.
 */
const maxUncheckedBytes = (limit: number, used: number): number => (limit * maxCachedShare - used) / 8;

export function createStorageQuota({
  keys,
  policies,
  cacheTtlMs = 5000,
  cacheSize = 1000,
  now = () => performance.now(),
}: StorageQuotaInit): StorageQuota {
  const sums = new Map<string, CachedSum>();
  /** Sums that are being read, for concurrent requests. */
  const pendingReads = new Map<string, Promise<CachedSum>>();

  /** By project, for those with a limit of at least `minUncheckedLimit`. */
  const uncheckedWrites = new Map<string, UncheckedWrites>();

  function uncheckedWritesOf(project: string): UncheckedWrites {
    let writes = uncheckedWrites.get(project);
    if (!writes) uncheckedWrites.set(project, (writes = { startedBytes: 0, endedBytes: 0 }));
    return writes;
  }

  async function read(project: string): Promise<CachedSum> {
    const readAt = now();
    const endedBytes = uncheckedWrites.get(project)?.endedBytes ?? 0;
    const bytes = await keys.storageBytes(project);
    const uncheckedBytes = (uncheckedWrites.get(project)?.startedBytes ?? 0) - endedBytes;
    const sum: CachedSum = { bytes, readAt, uncheckedBytes };
    sums.delete(project);
    sums.set(project, sum);
    if (sums.size > cacheSize) sums.delete(sums.keys().next().value ?? '');
    return sum;
  }

  function readShared(project: string): Promise<CachedSum> {
    let pending = pendingReads.get(project);
    if (!pending) {
      pending = read(project).finally(() => pendingReads.delete(project));
      pendingReads.set(project, pending);
    }
    return pending;
  }

  async function limitOf(principal: Principal): Promise<number | undefined> {
    return (await policies.get(principal)).storageLimitBytes;
  }

  /** Whether the bytes may be stored without a check. Counts them as started if so. */
  async function startUnchecked(project: string, limit: number, bytes: number): Promise<boolean> {
    const fits = (sum: CachedSum): boolean => sum.uncheckedBytes + bytes <= maxUncheckedBytes(limit, sum.bytes);
    let sum = sums.get(project);
    if (!sum || now() - sum.readAt >= cacheTtlMs || !fits(sum)) sum = await readShared(project);
    if (!fits(sum)) return false;
    sum.uncheckedBytes += bytes;
    uncheckedWritesOf(project).startedBytes += bytes;
    return true;
  }

  async function writeChecked<Result>(project: string, limit: number, run: StorageWrite<Result>): Promise<Result> {
    try {
      return await run({ maxProjectBytes: limit });
    } catch (error) {
      if (!(error instanceof StorageLimitError)) throw error;
      throw exceeded(limit, (await readShared(project)).bytes, project);
    }
  }

  function assertBelow(limit: number, used: number, bytes: number, project: string): void {
    if (used + bytes > limit || used >= limit) throw exceeded(limit, used, project);
  }

  return {
    async assertHasSpaceFor(principal, bytes) {
      const limit = await limitOf(principal);
      if (limit !== undefined) assertBelow(limit, (await read(principal.project)).bytes, bytes, principal.project);
    },
    async assertHasSpace(principal) {
      const limit = await limitOf(principal);
      if (limit === undefined) return;
      const { project } = principal;
      const cached = sums.get(project);
      if (
        cached &&
        cached.bytes >= minCachedBytes &&
        cached.bytes < limit * maxCachedShare &&
        now() - cached.readAt < cacheTtlMs
      )
        return;
      assertBelow(limit, (await readShared(project)).bytes, 0, project);
    },
    async write(principal, write) {
      const limit = await limitOf(principal);
      if (limit === undefined) return write({});
      const result = await writeChecked(principal.project, limit, write);
      // A file can be large.
      sums.delete(principal.project);
      return result;
    },
    async writeRecord(principal, record, write) {
      const limit = await limitOf(principal);
      if (limit === undefined) return write({});
      const { project } = principal;
      if (limit < minUncheckedLimit) return writeChecked(project, limit, write);
      const bytes = Buffer.byteLength(JSON.stringify(record));
      if (!(await startUnchecked(project, limit, bytes))) return writeChecked(project, limit, write);
      try {
        return await write({});
      } finally {
        uncheckedWritesOf(project).endedBytes += bytes;
      }
    },
  };
}

function exceeded(limit: number, used: number, project: string): RequestError {
  return new RequestError(
    `The project '${project}' may store ${limit} bytes of files, stored completions and stored responses, and stores ${used}. ` +
      `Delete some, send \`store: false\`, or ask an administrator to raise the limit.`,
    { status: 403, code: 'storage_quota_exceeded' },
  );
}
