import { unrefTimeout } from '../timers.ts';
import type { JobTimes } from './times.ts';

/** Why a lease was lost: another server has it, or the store did not renew it in time. */
export type LeaseLossReason = 'taken' | 'not_renewed';

interface KeepLeaseInit {
  /** Extends the lease to `leaseMs` from now. Resolves to false if it was lost. */
  readonly renew: () => Promise<boolean>;
  /** What is leased, for reports. */
  readonly what: string;
  /** When it was requested, in milliseconds of `performance.now()`: the lease expires `leaseMs` later, or shortly after that. */
  readonly claimedAt: number;
  readonly times: JobTimes;
  /** Called once, when another server may have the lease. */
  readonly onLost: (reason: LeaseLossReason) => void;
  readonly report: (what: string, error: unknown) => void;
  /** Called when the store fails to renew the lease. */
  readonly onFailure?: () => void;
}

/** A timer that fires later than this was delayed because the process was blocked or suspended. */
const blockedMs = 1000;

/** Renews a lease until `stop` is called or the lease is lost. Measures durations, so that changes of the system clock do not matter. */
export function keepLease(init: KeepLeaseInit): { stop(): void } {
  const { claimedAt, times, onLost, report, onFailure } = init;
  let isStopped = false;
  let clearRenewalTimer = unrefTimeout(times.renewMs, () => void renew());
  let clearExpiryTimer = scheduleExpiry(claimedAt + times.leaseMs);

  function scheduleExpiry(at: number): () => void {
    return unrefTimeout(at - performance.now(), () => {
      // After the process was blocked, the renewal is only now being sent. It may show that this server still holds the lease.
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
      isRenewed = await init.renew();
    } catch (error) {
      onFailure?.();
      // Retried soon: the lease has not expired yet.
      report(`failed to renew the lease of ${init.what}`, error);
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
