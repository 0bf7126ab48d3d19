/** The storage behind a port, as logs name it. Adapters outside of this repository may have names of their own. */
export type StorageDependency = 'postgres' | 'sqlite' | 's3' | 'blobs-fs' | (string & {});

export interface StorageOutage {
  readonly dependency: StorageDependency;
  /** For operators: `connection refused`, `timeout`, `server restarting (57P01)`. Never a value, an address or a password. */
  readonly cause: string;
  /** The storage works, but this query took longer than its limit: the same query will again. */
  readonly isSlowQuery?: boolean | undefined;
}

/**
 * What stores and blobs say of an error they reject with when their storage cannot be used at the moment: the server is down or
 * restarting, it did not answer in time, its connection broke. The operation may or may not have been carried out, and the same
 * operation may succeed later. Requests are answered with a 503 and the code `storage_unavailable`; background work retries.
 */
export interface StorageUnavailable {
  readonly outage: StorageOutage;
}

export function isStorageUnavailable(error: unknown): error is StorageUnavailable {
  return (
    typeof error === 'object' &&
    error !== null &&
    'outage' in error &&
    typeof error.outage === 'object' &&
    error.outage !== null &&
    'dependency' in error.outage &&
    'cause' in error.outage
  );
}
