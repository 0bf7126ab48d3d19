/**
 * Which bytes nobody may need: reserved before they are written, and let go when a record no longer has them. A record that keeps
 * bytes (a file, a part) takes their reservation in the same commit, so that a crash at any instant leaves neither a record without
 * its bytes nor bytes that nobody removes.
 */
export interface BlobLedger {
  /** Says that bytes are about to be written under `key`. They are removed after `until` (Unix milliseconds) unless a record kept them. Durable when it resolves. */
  reserve(key: string, until: number): Promise<void>;
  /** Makes a reservation end at once: nothing was kept. */
  release(key: string, now: number): Promise<void>;
  /** Keys whose time has come, oldest first. */
  due(init: { readonly now: number; readonly limit: number }): Promise<readonly string[]>;
  /** Their bytes could not be removed: what is due is due again at `due` (Unix milliseconds). They stay such that no record can have them. */
  postpone(keys: readonly string[], due: number): Promise<void>;
  /** Their bytes are gone. */
  forget(keys: readonly string[]): Promise<void>;
}

/** Bytes of a record, in the blob store. */
export interface BlobSegment {
  readonly key: string;
  readonly bytes: number;
}
