/** From `start`, up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Bytes by key. Keys are the kit's own (`blob_` and lower-case letters and digits), never a caller's; a key is written once.
 * Nothing is held in memory whole. Errors say where there was no space left (`NoSpace`), and where the storage cannot be used
 * at the moment (`StorageUnavailable`). One shared suite of tests says what must hold (`@modelwire/ports/suites/blobs`).
 */
export interface Blobs {
  /**
   * Gives the number of bytes. When it resolves they are there whole, also after a crash; when it rejects, or `signal` aborts,
   * nothing can be read under the key. Takes from `bytes` no faster than it writes, and ends the iteration when it fails.
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>, init?: { readonly signal?: AbortSignal }): Promise<number>;
  /** All of it, or the part in `range`, which lies within it. Reading ends early without harm. @throws {BlobMissingError} on the first read. */
  read(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Those that are not there are no error: what ended halfway is done again. */
  remove(keys: readonly string[]): Promise<void>;
  /** Resolves when it can be written to. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** There are no bytes under this key. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  readonly key: string;

  constructor(key: string) {
    super(`there are no bytes under the key '${key}'`);
    this.key = key;
  }
}
