import type { FileObject } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { Page, PageQuery } from './page.ts';

/** A file, and where its bytes are: in as many pieces as it was sent in. */
export interface FileRecord {
  readonly file: FileObject;
  /** What the sender said it is. */
  readonly mediaType: string | undefined;
  readonly content: readonly BlobSegment[];
}

export interface FileQuery extends PageQuery {
  readonly purpose?: string | undefined;
  /** Unix seconds: files that expired by then are not there. */
  readonly now: number;
}

/** Files of one project: no call sees or touches another project's. */
export interface FileStore {
  /**
   * Takes the reservations of its segments in the same commit. Durable when it resolves.
   *
   * @throws {ReservationLostError} when one of them was removed meanwhile; then nothing was kept.
   */
  create(record: FileRecord): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Stable while files are added. Undefined when there is no file `after`, and was none within the last day. */
  list(query: FileQuery): Promise<Page<FileObject> | undefined>;
  /** Also one that has expired and was not removed yet. */
  get(id: string): Promise<FileRecord | undefined>;
  /** Its bytes become due `dueAfterMs` milliseconds later, in the same commit. False when there was none. */
  delete(id: string, dueAfterMs: number): Promise<boolean>;
}

/** Bytes that were reserved too long ago: they may be gone. */
export class ReservationLostError extends Error {
  override readonly name = 'ReservationLostError';

  constructor() {
    super('the bytes were written too slowly: their reservation has ended');
  }
}
