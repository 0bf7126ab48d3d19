import { StorageLimitError } from '@modelwire/ports';
import type { KeyStore, Principal, StorageLimit } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Policies } from './policies.ts';

/** Checks storage limits of projects. A project without a limit costs no query. */
export interface StorageQuota {
  /**
   * Checks that a project may store this many more bytes, before they are received or generated. Only `write` ensures that they fit when they
   * are stored.
   *
   * @param bytes Default 0, if their number is not known yet: then the project only has to be below its limit.
   * @throws a 403 when its files, stored completions and stored responses have reached its storage limit, or would exceed it.
   */
  assertHasSpace(principal: Principal, bytes?: number): Promise<void>;
  /**
   * Runs a write that checks the limit in its transaction, so that concurrent writes on all replicas do not exceed it together.
   *
   * @throws a 403 when the project would exceed its storage limit; then nothing is stored.
   */
  write<Result>(principal: Principal, write: (limit: StorageLimit) => Promise<Result>): Promise<Result>;
}

/** The quota of a server without stores. */
export const noStorageQuota: StorageQuota = { assertHasSpace: () => Promise.resolve(), write: (_, write) => write({}) };

interface StorageQuotaInit {
  readonly keys: Pick<KeyStore, 'storageBytes'>;
  readonly policies: Policies;
}

export function createStorageQuota({ keys, policies }: StorageQuotaInit): StorageQuota {
  return {
    async assertHasSpace(principal, bytes = 0) {
      const { storageLimitBytes: limit } = await policies.get(principal);
      if (limit === undefined) return;
      const used = await keys.storageBytes(principal.project);
      if (used >= limit || used + bytes > limit) throw exceeded(limit, used, principal.project);
    },
    async write(principal, write) {
      const { storageLimitBytes: limit } = await policies.get(principal);
      if (limit === undefined) return write({});
      try {
        return await write({ maxProjectBytes: limit });
      } catch (error) {
        if (!(error instanceof StorageLimitError)) throw error;
        throw exceeded(limit, await keys.storageBytes(principal.project), principal.project);
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
