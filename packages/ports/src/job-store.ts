export type JobKind = 'batch' | 'response' | 'video' | 'webhook';

/** Work that outlasts the request that asked for it. It is made and ended in the same commit as the record it is for. */
export interface Job {
  /** The ID of the batch, response, video or delivery of a webhook. */
  readonly id: string;
  readonly kind: JobKind;
  /** The project of the record; the ID of the webhook for a delivery. */
  readonly project: string;
  /** How often it was claimed, this time included, and not given back untouched. */
  readonly attempt: number;
  /**
   * How often its lease expired while a worker held it since the last `note`: that worker was killed, crashed, or was blocked for the
   * whole lease.
   */
  readonly crashes: number;
  /** What its worker last wrote with `note`. */
  readonly notes: string | undefined;
}

/** A claimed job. Nobody else has it until the lease expires or is released. Writes that carry a lost lease do nothing. */
export interface Lease extends Job {
  /** Differs for each claim. */
  readonly token: string;
}

/** Which of the jobs that are due may be claimed: any, those that are urgent, or those that nobody has begun for so many milliseconds. */
export type DueJobs = 'any' | 'urgent' | { readonly notBegunForMs: number };

/** How much work of one kind waits. */
export interface JobBacklog {
  readonly kind: JobKind;
  /** Jobs that are due and that no worker holds. */
  readonly waiting: number;
  /** Jobs that a worker holds. */
  readonly running: number;
  /** Milliseconds since the oldest job that waits and was never begun became due; 0 if there is none. */
  readonly oldestWaitingMs: number;
}

/**
 * The jobs of all projects, for the servers' workers. All times are by the clock of the store, which all servers share: a server passes
 * durations in milliseconds, and what its own clock says does not matter.
 */
export interface JobStore {
  /**
   * Claims the job of these kinds that has been due longest and that nobody holds, for `leaseMs`. Urgent jobs come first, then those that
   * a server gave back to be resumed. Of many that ask at once, each gets another. Jobs of projects in `except` are passed over.
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
  /** Undoes a claim whose outcome is unknown, as if it had not been made: its job is due at once. False when it took no job. */
  cancelClaim(token: string): Promise<boolean>;
  /** Extends the lease to `leaseMs` from now. False when it was lost: stop working on the job. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Replaces the notes of the job, and sets `crashes` to 0. Durable when it resolves; false when the lease was lost. */
  note(lease: Lease, notes: string): Promise<boolean>;
  /** The jobs of all servers, by kind; kinds without jobs are left out. For metrics. */
  backlog(): Promise<readonly JobBacklog[]>;
  /** Gives the job back. False when the lease was lost. */
  release(
    lease: Lease,
    init?: {
      /** When it may be claimed again. Default: at once, before all jobs that nobody has begun. */
      readonly afterMs?: number;
      /** Nothing was done for it: this claim does not count as an attempt. */
      readonly untouched?: boolean;
    },
  ): Promise<boolean>;
}
