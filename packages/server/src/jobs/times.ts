import { backoffMs } from '@modelwire/adapter-kit';

/** Timing of jobs, in milliseconds. */
export interface JobTimes {
  /** How often an idle worker polls for jobs of other servers. Default 1000. */
  readonly pollMs: number;
  /** Duration of a lease. After a crash, another worker can claim the job when it expires. Default 30,000. */
  readonly leaseMs: number;
  /** How often a worker renews its leases. Default a third of `leaseMs`. */
  readonly renewMs: number;
  /** Delay before a failed job is retried; doubled each time, up to a minute. Default 1000. */
  readonly retryMs: number;
  /** The longest time between two polls of a batch at an upstream, and between decisions about what is submitted there. Default 60,000. */
  readonly batchPollMs: number;
}

/** The longest delay before a job is retried. */
export const retryMaxMs = 60_000;
/** How long an aborted job may take to store its finished work. */
export const graceMs = 2000;

/** @throws TypeError for invalid times. */
export function jobTimes(options: Partial<JobTimes> = {}): JobTimes {
  const leaseMs = options.leaseMs ?? 30_000;
  const times = {
    pollMs: 1000,
    leaseMs,
    renewMs: Math.floor(leaseMs / 3),
    retryMs: 1000,
    batchPollMs: 60_000,
    ...options,
  };
  for (const [name, value] of Object.entries(times)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`jobTimes.${name} must be an integer of at least 1, not ${value}`);
  }
  if (times.renewMs >= times.leaseMs) throw new TypeError('jobTimes.renewMs must be less than jobTimes.leaseMs');
  return times;
}

/** The delay before the next attempt. */
export function retryDelayMs(attempt: number, { retryMs }: JobTimes): number {
  return backoffMs(attempt, { firstMs: retryMs, maxMs: retryMaxMs, minPart: 1 });
}
