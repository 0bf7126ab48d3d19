import type { JobStore, Lease } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';
import type { JobTimes } from './times.ts';

/** Why a lease was lost: another worker has the job, or the store did not renew it in time. */
export type LeaseLossReason = 'taken' | 'not_renewed';

interface KeepInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /** When it was asked for, in milliseconds of `performance.now()`: the lease expires `leaseMs` later, or not much later. */
  readonly since: number;
  readonly times: JobTimes;
  /** Called once, when another may have the job. */
  readonly lost: (by: LeaseLossReason) => void;
  readonly report: (what: string, error: unknown) => void;
  /** Called when the store fails to renew the lease. */
  readonly onFailure: () => void;
}

/** A timer that fires so much too late was held up: this process was blocked, or suspended. */
const blockedMs = 1000;

/** Renews a lease until it is told to stop, or the lease is lost. Clocks that are set do not matter: it measures durations. */
export function keepLease({ jobs, lease, since, times, lost, report, onFailure }: KeepInit): { stop(): void } {
  let isStopped = false;
  let clearRenewalTimer = unrefTimeout(times.renewMs, () => void renew());
  let clearEndTimer = endAt(since + times.leaseMs);

  function endAt(at: number): () => void {
    return unrefTimeout(at - performance.now(), () => {
      // After the process was blocked the renewal, which was due before, is only now on its way. It may find the job still ours.
      if (performance.now() - at < blockedMs) lose('not_renewed');
      else clearEndTimer = endAt(performance.now() + times.renewMs);
    });
  }
  function stop(): void {
    isStopped = true;
    clearRenewalTimer();
    clearEndTimer();
  }
  function lose(by: LeaseLossReason): void {
    if (isStopped) return;
    stop();
    lost(by);
  }
  async function renew(): Promise<void> {
    const asked = performance.now();
    let held: boolean | undefined;
    try {
      held = await jobs.renew(lease, times.leaseMs);
    } catch (error) {
      onFailure();
      // Tried again soon: there is time until the lease ends.
      report('a job was not held on to', error);
    }
    if (isStopped) return;
    if (held === false) {
      lose('taken');
      return;
    }
    if (held) {
      clearEndTimer();
      clearEndTimer = endAt(asked + times.leaseMs);
    }
    clearRenewalTimer = unrefTimeout(held ? times.renewMs : Math.min(times.renewMs, 1000), () => void renew());
  }
  return { stop };
}
