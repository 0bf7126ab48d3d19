/** What the server has acknowledged and therefore must not lose. */
export interface Ledger {
  /** Id of a stored completion, and its text. */
  readonly completions: Map<string, { readonly text: string; readonly metadata: string | undefined }>;
  /** Id of a file, and the SHA-256 of its content. */
  readonly files: Map<string, string>;
  /** IDs of deleted records, by path. */
  readonly deleted: Set<string>;
  /** Id of a batch, and the `custom_id`s of its lines. */
  readonly batches: Map<string, readonly string[]>;
  readonly videos: Set<string>;
}

export function createLedger(): Ledger {
  return {
    completions: new Map(),
    files: new Map(),
    deleted: new Set(),
    batches: new Map(),
    videos: new Set(),
  };
}
