/**
 * Tracks bytes without a record: bytes are reserved before they are written, and released when no record refers to them any more. A record
 * that stores bytes (a file, a part) takes over their reservation in the same commit, so that a crash leaves neither a record without its
 * bytes nor bytes that are never removed. All times are by the clock of the store, which all servers share: a server passes durations in
 * milliseconds.
 */
export interface BlobLedger {
  /**
   * Reserves a key before its bytes are written. They are removed after `ttlMs` unless a record has taken the reservation. Durable when it
   * resolves.
   */
  reserve(key: string, ttlMs: number): Promise<void>;
  /** Ends a reservation immediately, because no record takes the bytes. */
  release(key: string): Promise<void>;
  /**
   * Keys whose bytes are to be removed, oldest first. With `withinMs` also those that become due within that time. No record can take the
   * bytes of a returned key any more.
   */
  due(init: { readonly limit: number; readonly withinMs?: number }): Promise<readonly string[]>;
  /** Postpones the removal of due keys by `afterMs`, because it failed. No record can take their bytes. */
  postpone(keys: readonly string[], afterMs: number): Promise<void>;
  /** Forgets keys whose bytes have been removed. */
  forget(keys: readonly string[]): Promise<void>;
  /** Whether the store knows no bytes: it has no files, videos, parts or reservations. Then the blob store must be empty, too. */
  isEmpty(): Promise<boolean>;
}

/** Bytes of a record, in the blob store. */
export interface BlobSegment {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of the bytes in lower-case hexadecimal digits, computed as they were stored. Undefined if it is not known. */
  readonly sha256?: string | undefined;
}
