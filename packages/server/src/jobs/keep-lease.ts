import type { JobStore, Lease } from '../ports/job-store.ts';
import { later } from './later.ts';
import type { JobTimes } from './times.ts';

interface KeepInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /** Unix milliseconds until which it holds by now. */
  readonly until: number;
  readonly times: JobTimes;
  /** Called once, when another may have the job: it was taken, or could not be renewed before its time was over. */
  readonly lost: () => void;
  readonly report: (what: string, error: unknown) => void;
}

/** Renews a lease until it is told to stop, or the lease is lost. */
export function keepLease({ jobs, lease, until, times, lost, report }: KeepInit): { stop(): void } {
  let over = false;
  let callOffRenewal = later(times.renewMs, () => void renew());
  let callOffEnd = later(until - Date.now(), lose);

  function stop(): void {
    over = true;
    callOffRenewal();
    callOffEnd();
  }
  function lose(): void {
    if (over) return;
    stop();
    lost();
  }
  async function renew(): Promise<void> {
    const next = Date.now() + times.leaseMs;
    let held: boolean | undefined;
    try {
      held = await jobs.renew(lease, next);
    } catch (error) {
      // Tried again soon: there is time until the lease ends.
      report('a job was not held on to', error);
    }
    if (over) return;
    if (held === false) {
      lose();
      return;
    }
    if (held) {
      callOffEnd();
      callOffEnd = later(next - Date.now(), lose);
    }
    callOffRenewal = later(held ? times.renewMs : Math.min(times.renewMs, 1000), () => void renew());
  }
  return { stop };
}
