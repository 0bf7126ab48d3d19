/** How jobs are shared out, in milliseconds. */
export interface JobTimes {
  /** How often a worker that has nothing to do looks for jobs of other servers. Default 1000. */
  readonly pollMs: number;
  /** How long a job that its worker does not hold on to stays its own: after a crash, others go on then. Default 30,000. */
  readonly leaseMs: number;
  /** How often a worker holds on to its jobs. Default a third of that. */
  readonly renewMs: number;
  /** How long a job that failed rests before it is tried again; doubled each time, up to a minute. Default 1000. */
  readonly retryMs: number;
}

const retryMaxMs = 60_000;
/** What was asked to stop has so long to bring in what is done already. */
export const graceMs = 2000;

/** @throws TypeError for times that make no sense. */
export function jobTimes(given: Partial<JobTimes> = {}): JobTimes {
  const leaseMs = given.leaseMs ?? 30_000;
  const times = { pollMs: 1000, leaseMs, renewMs: Math.floor(leaseMs / 3), retryMs: 1000, ...given };
  for (const [name, value] of Object.entries(times)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`jobTimes.${name} must be an integer of at least 1, not ${value}`);
  }
  if (times.renewMs >= times.leaseMs) throw new TypeError('jobTimes.renewMs must be less than jobTimes.leaseMs');
  return times;
}

/** How long the job rests after its attempt failed. */
export function restMs(attempt: number, { retryMs }: JobTimes): number {
  return Math.min(retryMaxMs, retryMs * 2 ** Math.min(attempt - 1, 20));
}
