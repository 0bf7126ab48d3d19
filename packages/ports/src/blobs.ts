/** From `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface BlobReadOptions {
  /** Whether a piece is valid only until the next one is requested: the storage may then reuse its memory. Default false. */
  readonly reusesMemory?: boolean | undefined;
}

/**
 * Stores bytes by key. The server generates the keys (`blob_` with lower-case letters and digits) and writes each key once. Contents are
 * streamed. Errors report a full storage (`NoSpace`) and an unavailable one (`StorageUnavailable`). The test suite
 * `@modelwire/ports/suites/blobs` specifies the behavior.
 */
export interface Blobs {
  /**
   * Resolves with the number of bytes when they are complete and durable. If it rejects or `signal` aborts, the key does not exist. Reads
   * `bytes` no faster than it writes, and ends the iteration if it fails.
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>, init?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Reads all bytes, or those of `range`, which must lie within the blob. Iteration can stop early. @throws {BlobMissingError} on the first read. */
  read(key: string, range?: ByteRange, options?: BlobReadOptions): AsyncIterable<Uint8Array>;
  /** Removes the keys. Missing ones are ignored, so that an interrupted removal can be repeated. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Whether there are no blobs; undefined if that is unknown, for instance because the storage may not be listed. Omitted by storages for which it
   * is never known.
   */
  isEmpty?(): Promise<boolean | undefined>;
  /** Resolves if the storage is writable. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The key does not exist. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  readonly key: string;

  constructor(key: string) {
    super(`there is no blob with the key '${key}'`);
    this.key = key;
  }
}

/** The bytes of a key are not those that were stored. */
export class ContentCorruptedError extends Error {
  override readonly name = 'ContentCorruptedError';
  readonly key: string;

  constructor(key: string) {
    super(`the contents '${key}' are damaged: they do not have the size and the SHA-256 with which they were stored`);
    this.key = key;
  }
}
