import type { Batch } from '@modelwire/schema/types';
import type { FileRecord } from './file-store.ts';
import type { Lease } from './job-store.ts';
import type { Page, PageQuery } from './page.ts';

/** Of a batch, what only the servers see. */
export interface BatchWork {
  /** Whose requests its lines are. */
  readonly keyId: string | undefined;
  /** Seconds after their creation that output files expire; undefined for never. */
  readonly outputExpiresAfter: number | undefined;
}

export interface BatchRecord {
  /** `request_counts` are as they are now. */
  readonly batch: Batch;
  readonly work: BatchWork;
  /** Grows with each `replace`: a change is made only to what was read. */
  readonly version: number;
}

/** What came of one line. */
export interface BatchResult {
  /** From 0. */
  readonly line: number;
  /** Whether it goes to the error file. */
  readonly failed: boolean;
  /** The line of the output or error file: JSON, without a line break. */
  readonly text: string;
}

/** Batches of one project: no call sees or touches another project's. */
export interface BatchStore {
  /** With a job of kind `batch`, due at once. Durable when it resolves. */
  create(record: Pick<BatchRecord, 'batch' | 'work'>): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Undefined when there is no batch `after`. */
  list(query: PageQuery): Promise<Page<Batch> | undefined>;
  get(id: string): Promise<BatchRecord | undefined>;
  /**
   * Writes all but the counts of `completed` and `failed`. False when the version is another by now, or the lease was lost. Without a lease
   * it is a client's change, and `hurry` says that whoever works on it should know: a job that nobody holds is urgent then.
   */
  replace(
    batch: Batch,
    init: { readonly version: number; readonly lease?: Lease | undefined; readonly hurry?: boolean },
  ): Promise<boolean>;
  /**
   * Keeps what came of lines and counts them, in one commit; a line that has a result already keeps it. Gives the batch's status at
   * that time; undefined when the lease was lost: then nothing was kept. Durable when it resolves.
   */
  addResults(id: string, lease: Lease, results: readonly BatchResult[]): Promise<string | undefined>;
  /** The lines that have a result. */
  answeredLines(id: string): Promise<readonly number[]>;
  /** In the order of lines, after the line `after`. */
  results(id: string, query: { readonly after: number; readonly limit: number }): Promise<readonly BatchResult[]>;
  /**
   * Ends it: writes the batch, makes its files (taking the reservations of their bytes), removes results and job, all in one commit.
   * False when the version is another by now, or the lease was lost.
   */
  end(
    batch: Batch,
    init: { readonly version: number; readonly lease: Lease; readonly files: readonly FileRecord[] },
  ): Promise<boolean>;
}
