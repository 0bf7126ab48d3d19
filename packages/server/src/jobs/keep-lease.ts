import type { JobStore, Lease } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';
import type { JobTimes } from './times.ts';

/** Why a lease was lost: another worker has the job, or the store did not renew it in time. */
export type LeaseLossReason = 'taken' | 'not_renewed';

interface KeepLeaseInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /** When it was requested, in milliseconds of `performance.now()`: the lease expires `leaseMs` later, or shortly after that. */
  readonly claimedAt: number;
  readonly times: JobTimes;
  /** Called once, when another worker may have the job. */
  readonly onLost: (reason: LeaseLossReason) => void;
  readonly report: (what: string, error: unknown) => void;
  /** Called when the store fails to renew the lease. */
  readonly onFailure: () => void;
}

/** A timer that fires later than this was delayed because the process was blocked or suspended. */
const blockedMs = 1000;

/** Renews a lease until `stop` is called or the lease is lost. Measures durations, so that changes of the system clock do not matter. */
export function keepLease({ jobs, lease, claimedAt, times, onLost, report, onFailure }: KeepLeaseInit): {
  stop(): void;
} {
  let isStopped = false;
  let clearRenewalTimer = unrefTimeout(times.renewMs, () => void renew());
  let clearExpiryTimer = scheduleExpiry(claimedAt + times.leaseMs);

  function scheduleExpiry(at: number): () => void {
    return unrefTimeout(at - performance.now(), () => {
      // After the process was blocked, the renewal is only now being sent. It may show that this worker still holds the lease.
      if (performance.now() - at < blockedMs) lose('not_renewed');
      else clearExpiryTimer = scheduleExpiry(performance.now() + times.renewMs);
    });
  }
  function stop(): void {
    isStopped = true;
    clearRenewalTimer();
    clearExpiryTimer();
  }
  function lose(reason: LeaseLossReason): void {
    if (isStopped) return;
    stop();
    onLost(reason);
  }
  async function renew(): Promise<void> {
    const requestedAt = performance.now();
    let isRenewed: boolean | undefined;
    try {
      isRenewed = await jobs.renew(lease, times.leaseMs);
    } catch (error) {
      onFailure();
      // Retried soon: the lease has not expired yet.
      report('failed to renew the lease of a job', error);
    }
    if (isStopped) return;
    if (isRenewed === false) {
      lose('taken');
      return;
    }
    if (isRenewed) {
      clearExpiryTimer();
      clearExpiryTimer = scheduleExpiry(requestedAt + times.leaseMs);
    }
    clearRenewalTimer = unrefTimeout(isRenewed ? times.renewMs : Math.min(times.renewMs, 1000), () => void renew());
  }
  return { stop };
}
