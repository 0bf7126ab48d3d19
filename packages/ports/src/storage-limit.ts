/** The limit that a write checks in its transaction. */
export interface StorageLimit {
  /**
   * Bytes of files, stored completions and stored responses that the project may store, with those of the write. Concurrent writes with a limit,
   * on any replica, never exceed it together. The project must be in the store. Default: unlimited, which costs no query.
   */
  readonly maxProjectBytes?: number | undefined;
}

/** The project would store more bytes than its limit allows. Nothing was stored. */
export class StorageLimitError extends Error {
  override readonly name = 'StorageLimitError';

  constructor() {
    super('the project would exceed its storage limit');
  }
}
