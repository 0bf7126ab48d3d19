import type { KeyStore, Principal } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Policies } from './policies.ts';

/** Checks storage limits of projects. */
export interface StorageQuota {
  /**
   * Checks that a project may store this many more bytes. Concurrent requests can together exceed the limit by what they store.
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
}

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
}

/** Only sums from this size on are cached: computing a smaller one takes about a millisecond. */
const minCachedBytes = 10_000_000;
/** The part of the limit up to which a cached sum is used: beyond it, little could be stored before the limit is reached. */
const maxCachedShare = 0.9;

export function createStorageQuota({
  keys,
  policies,
  cacheTtlMs = 5000,
  cacheSize = 1000,
  now = () => performance.now(),
}: StorageQuotaInit): StorageQuota {
  const sums = new Map<string, CachedSum>();
  /** Sums that are being read, for concurrent requests. */
  const pendingReads = new Map<string, Promise<number>>();

  async function read(project: string): Promise<number> {
    const readAt = now();
    const bytes = await keys.storageBytes(project);
    sums.delete(project);
    sums.set(project, { bytes, readAt });
    if (sums.size > cacheSize) sums.delete(sums.keys().next().value ?? '');
    return bytes;
  }

  function readShared(project: string): Promise<number> {
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

  function assertBelow(limit: number, used: number, bytes: number, project: string): void {
    if (used + bytes <= limit && used < limit) return;
    throw new RequestError(
      `The project '${project}' may store ${limit} bytes of files, stored completions and stored responses, and stores ${used}. ` +
        `Delete some, send \`store: false\`, or ask an administrator to raise the limit.`,
      { status: 403, code: 'storage_quota_exceeded' },
    );
  }

  return {
    async assertHasSpaceFor(principal, bytes) {
      const limit = await limitOf(principal);
      if (limit !== undefined) assertBelow(limit, await read(principal.project), bytes, principal.project);
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
      assertBelow(limit, await readShared(project), 0, project);
    },
  };
}
