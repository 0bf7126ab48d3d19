export type JobKind = 'batch' | 'response' | 'video' | 'webhook';

/** Work that continues after the request that created it. A job is created and ended in the same commit as its record. */
export interface Job {
  /** ID of the batch, response, video or webhook delivery. */
  readonly id: string;
  readonly kind: JobKind;
  /** The project of the record; the ID of the webhook for a delivery. */
  readonly project: string;
  /** Number of claims, including this one, without those that were released with `skipAttempt`. */
  readonly attempt: number;
  /**
   * How often its lease expired while a worker held it, since the last `note`: the worker was killed, crashed, or was blocked for the whole
   * lease.
   */
  readonly crashes: number;
  /** The notes that a worker last stored with `note`. */
  readonly notes: string | undefined;
}

/** A claimed job. No other worker can claim it until the lease expires or is released. Writes with a lost lease have no effect. */
export interface Lease extends Job {
  /** Different for each claim. */
  readonly token: string;
}

/** Which of the due jobs may be claimed: any, urgent ones, or those that were not started within so many milliseconds. */
export type DueJobs = 'any' | 'urgent' | { readonly minWaitingMs: number };

/** The backlog of one kind of job. */
export interface JobBacklog {
  readonly kind: JobKind;
  /** Number of due jobs that no worker holds. */
  readonly waiting: number;
  /** Number of jobs that a worker holds. */
  readonly running: number;
  /** Age of the oldest waiting job that was never started, in milliseconds since it was created; 0 if there is none. */
  readonly oldestWaitingMs: number;
}

/**
 * The jobs of all projects. All times are by the clock of the store, which all servers share: a server passes durations in milliseconds,
 * and its own clock does not matter.
 */
export interface JobStore {
  /**
   * Claims the job of these kinds that has been due longest and that no worker holds, for `leaseMs`. Urgent jobs come first, then those
   * that a server released to be resumed. Concurrent claims get different jobs. Jobs of projects in `except` are skipped.
   */
  claim(init: {
    readonly kinds: readonly JobKind[];
    readonly leaseMs: number;
    /** Default: any. */
    readonly due?: DueJobs;
    readonly except?: readonly string[];
    /** The token of the lease, different for each claim. Default: a random one. */
    readonly token?: string;
    /** Whether a lease that expired while it was held counts in `crashes`. Default true; false after an outage of the store. */
    readonly countCrash?: boolean;
  }): Promise<Lease | undefined>;
  /** Undoes a claim whose outcome is unknown, as if it had not been made: its job is due immediately. Returns false if it claimed no job. */
  cancelClaim(token: string): Promise<boolean>;
  /** Extends the lease to `leaseMs` from now. Returns false if it was lost: stop working on the job. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Replaces the notes of the job and sets `crashes` to 0. Durable when it resolves. Returns false if the lease was lost. */
  note(lease: Lease, notes: string): Promise<boolean>;
  /** The backlog of all servers, by kind; kinds without jobs are left out. For metrics. */
  backlog(): Promise<readonly JobBacklog[]>;
  /** Releases the job. Returns false if the lease was lost. */
  release(
    lease: Lease,
    init?: {
      /** When it may be claimed again. Default: immediately, before all jobs that were never started. */
      readonly afterMs?: number;
      /** The job was not started: this claim does not count as an attempt. */
      readonly skipAttempt?: boolean;
    },
  ): Promise<boolean>;
}
