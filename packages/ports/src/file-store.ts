import type { FileObject } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { Page, PageQuery } from './page.ts';
import type { StorageLimit } from './storage-limit.ts';

/** A file and its segments in the blob store: one for each part in which it was uploaded. */
export interface FileRecord {
  readonly file: FileObject;
  /** Media type that the sender declared. */
  readonly mediaType: string | undefined;
  readonly content: readonly BlobSegment[];
}

export interface FileQuery extends PageQuery {
  readonly purpose?: string | undefined;
  /** Unix seconds: files that have expired by then are left out. */
  readonly now: number;
}

/** Files of one project. No method reads or changes those of another project. */
export interface FileStore {
  /**
   * Takes over the reservations of its segments in the same commit. Durable when it resolves.
   *
   * @throws {ReservationLostError} if the bytes of a segment have been removed; then nothing is stored.
   * @throws {StorageLimitError} if the project would exceed its limit.
   */
  create(record: FileRecord, limit?: StorageLimit): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Stable while files are added. Undefined when there is no file `after`, and was none within the last day. */
  list(query: FileQuery): Promise<Page<FileObject> | undefined>;
  /** Also returns a file that has expired and was not removed yet. */
  get(id: string): Promise<FileRecord | undefined>;
  /** Deletes the file; its bytes become due `dueAfterMs` milliseconds later, in the same commit. Returns false if it does not exist. */
  delete(id: string, dueAfterMs: number): Promise<boolean>;
}

/** The reservation of the bytes has expired: they may have been removed. */
export class ReservationLostError extends Error {
  override readonly name = 'ReservationLostError';

  constructor() {
    super('the bytes were written too slowly: their reservation has expired');
  }
}
