import type { Batch } from '@modelwire/schema/types';
import type { FileRecord } from './file-store.ts';
import type { Lease } from './job-store.ts';
import type { Page, PageQuery } from './page.ts';

/** Server-side state of a batch, which clients do not see. */
export interface BatchWork {
  /** The key that created the batch; its usage is counted for this key. */
  readonly keyId: string | undefined;
  /** Seconds after their creation at which output files expire; undefined for never. */
  readonly outputExpiresAfter: number | undefined;
}

export interface BatchRecord {
  /** `request_counts` are current. */
  readonly batch: Batch;
  readonly work: BatchWork;
  /** Incremented by each `replace`, for optimistic concurrency control. */
  readonly version: number;
}

/** The result of one line. */
export interface BatchResult {
  /** Index of the line in the input file, from 0. */
  readonly line: number;
  /** Whether the result belongs in the error file. */
  readonly failed: boolean;
  /** The line of the output or error file: JSON without a line break. */
  readonly text: string;
}

/** Lines of a batch that an upstream runs as a batch of its own. */
export interface BatchSubmission {
  /** Unique. The batch at the upstream has it in its metadata, so that it is found again if the reply to its creation was lost. */
  readonly key: string;
  /** Name of the upstream. */
  readonly upstream: string;
  /** The ID of the model at this server. */
  readonly model: string;
  /** Endpoint of the batch at the upstream. */
  readonly endpoint: string;
  /** ID of the input file at the upstream. */
  readonly fileId: string;
  /** ID of the batch at the upstream; undefined until it is known. */
  readonly batchId?: string | undefined;
  /** Unix seconds, before the batch at the upstream was created. */
  readonly submittedAt: number;
  /** Ranges of lines, in order. */
  readonly lines: readonly LineRange[];
}

/** Indexes of lines in the input file; both belong to the range. */
export type LineRange = readonly [first: number, last: number];

/** What a batch has submitted to upstreams. */
export interface BatchForwarding {
  readonly submissions: readonly BatchSubmission[];
  /** How often in succession lines have begun to be prepared for a submission that was not made. */
  readonly preparations: number;
}

/** Batches of one project. No method reads or changes those of another project. */
export interface BatchStore {
  /**
   * Stores the batch with a job of kind `batch`, due immediately. Durable when it resolves. Of several jobs, that of the batch which expires
   * first has been due longest: it became due as long ago as its window is shorter than seven days.
   */
  create(record: Pick<BatchRecord, 'batch' | 'work'>): Promise<void>;
  /** Sorted by `created_at`, then by order of creation; `desc` reverses both. Undefined when there is no batch `after`. */
  list(query: PageQuery): Promise<Page<Batch> | undefined>;
  get(id: string): Promise<BatchRecord | undefined>;
  /**
   * Replaces the batch, except for the counts of `completed` and `failed`. Returns false when the version has changed or the lease was
   * lost. A call without a lease is a change by a client. `isUrgent`: if no worker holds the job, it becomes urgent.
   */
  replace(
    batch: Batch,
    init: { readonly version: number; readonly lease?: Lease | undefined; readonly isUrgent?: boolean },
  ): Promise<boolean>;
  /**
   * Stores results of lines and counts them, in one commit; a line that already has a result keeps it. Returns the status of the batch at
   * that time, or undefined when the lease was lost and nothing was stored. Durable when it resolves.
   */
  addResults(id: string, lease: Lease, results: readonly BatchResult[]): Promise<string | undefined>;
  /** Indexes of the lines that have a result. */
  linesWithResults(id: string): Promise<readonly number[]>;
  /** Results in the order of lines, starting after the line `after`. */
  results(id: string, query: { readonly after: number; readonly limit: number }): Promise<readonly BatchResult[]>;
  forwarding(id: string): Promise<BatchForwarding>;
  /** Replaces what `forwarding` returns. Durable when it resolves. Returns false when the lease was lost. */
  setForwarding(id: string, lease: Lease, forwarding: BatchForwarding): Promise<boolean>;
  /**
   * Ends the batch: stores it, creates its files (which takes over the reservations of their bytes), and removes its results and its job,
   * in one commit. Returns false when the version has changed or the lease was lost.
   */
  end(
    batch: Batch,
    init: { readonly version: number; readonly lease: Lease; readonly files: readonly FileRecord[] },
  ): Promise<boolean>;
}
