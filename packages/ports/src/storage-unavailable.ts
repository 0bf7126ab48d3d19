/** Name of the storage in logs. Other adapters may use other names. */
export type StorageDependency = 'postgres' | 'sqlite' | 's3' | 'blobs-fs' | (string & {});

export interface StorageOutage {
  readonly dependency: StorageDependency;
  /** For operators: `connection refused`, `timeout`, `server restarting (57P01)`. Never a value, an address or a password. */
  readonly cause: string;
  /** The storage works, but this query exceeded its time limit, and would again. */
  readonly isSlowQuery?: boolean | undefined;
}

/**
 * Set by stores and blobs on errors that were caused by an unavailable storage: the server is down or restarting, did not respond in time,
 * or the connection failed. The operation may or may not have been carried out, and may succeed when repeated. Requests get a 503 with the
 * code `storage_unavailable`; background work is retried.
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
