/**
 * Which bytes nobody may need: reserved before they are written, and let go when a record no longer has them. A record that keeps
 * bytes (a file, a part) takes their reservation in the same commit, so that a crash at any instant leaves neither a record without
 * its bytes nor bytes that nobody removes. All times are by the clock of the store, which all servers share: a server passes durations in
 * milliseconds.
 */
export interface BlobLedger {
  /** Says that bytes are about to be written under `key`. They are removed after `forMs` unless a record kept them. Durable when it resolves. */
  reserve(key: string, forMs: number): Promise<void>;
  /** Makes a reservation end at once: nothing was kept. */
  release(key: string): Promise<void>;
  /**
   * Keys that are due, oldest first. With `withinMs` also those that become due within that time. No record can have the bytes of the keys
   * from then on.
   */
  due(init: { readonly limit: number; readonly withinMs?: number }): Promise<readonly string[]>;
  /** Their bytes could not be removed: what is due is due again after `afterMs`. They stay such that no record can have them. */
  postpone(keys: readonly string[], afterMs: number): Promise<void>;
  /** Their bytes are gone. */
  forget(keys: readonly string[]): Promise<void>;
}

/** Bytes of a record, in the blob store. */
export interface BlobSegment {
  readonly key: string;
  readonly bytes: number;
}
