import { isStorageUnavailable } from '@modelwire/ports';
import type { DueJobs, JobKind, JobStore, Lease } from '@modelwire/ports';
import { JobAborted } from './job-aborted.ts';
import { keepLease } from './keep-lease.ts';
import type { LeaseLossReason } from './keep-lease.ts';
import { createOutageRecovery } from './outage-recovery.ts';
import { unrefTimeout } from '../timers.ts';
import { graceMs, retryDelayMs } from './times.ts';
import type { JobTimes } from './times.ts';

/** Runs the jobs of one kind. */
export interface JobHandler {
  /** Maximum number of jobs that a worker runs at once. */
  readonly concurrency: number;
  /** Maximum number of them for one project. Default: no separate limit. */
  readonly maxPerProject?: number;
  /** Maximum number of urgent jobs that run in addition. Default: none. */
  readonly extraUrgentConcurrency?: number;
  /** Milliseconds after which a job that was never started is urgent, too. Default: never. */
  readonly urgentAfterMs?: number;
  /** Whether jobs also run while `isReady` returns false, because they need no models. Default: false. */
  readonly isAlwaysReady?: boolean;
  /**
   * Runs a job and ends it in the store, continuing what an earlier run has stored. Every write carries the lease. When `signal` aborts, it
   * stores its finished work and returns. When it throws, the job is retried later. A job that only waits for something external calls
   * `setWaiting(true)`: another job may then run in its place.
   */
  run(lease: Lease, signal: AbortSignal, setWaiting: (isWaiting: boolean) => void): Promise<void>;
}

interface WorkerInit {
  readonly jobs: JobStore;
  readonly handlers: Readonly<Partial<Record<JobKind, JobHandler>>>;
  readonly times: JobTimes;
  /** Whether jobs may be claimed now. Default: always. */
  readonly isReady?: () => boolean;
  readonly report: (what: string, error: unknown) => void;
}

export interface Worker {
  /** Polls for jobs immediately. */
  wake(): void;
  /** Number of running jobs. */
  running(): number;
  /** Claims no more jobs and releases its own, for other servers to resume. Running work may finish within `withinMs`. */
  stop(withinMs?: number): Promise<void>;
}

/** Thrown by a handler that has no capacity for a job and has not started it. The job is released, and claimed again after a delay. */
export class AtCapacityError extends Error {
  override readonly name = 'AtCapacityError';
  /** Milliseconds until the job is due again. */
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('there is no capacity for this job');
    this.retryAfterMs = retryAfterMs;
  }
}

interface RunningJob {
  readonly kind: JobKind;
  readonly project: string;
  readonly controller: AbortController;
  /** Runs in addition to `concurrency`. */
  readonly isUrgent: boolean;
  isWaiting: boolean;
}

interface ClaimFilter {
  readonly kind: JobKind;
  readonly except?: readonly string[];
  /** Set for jobs that run in addition to `concurrency`. */
  readonly due?: DueJobs;
}

/** Jobs that a worker may hold, waiting ones included, as a multiple of `concurrency`. */
const maxJobsPerSlot = 8;

/** Claims jobs from the store and runs them, each under a lease (docs/decisions/0007). */
export function startWorker({ jobs, handlers, times, isReady = () => true, report }: WorkerInit): Worker {
  const running = new Map<Promise<void>, RunningJob>();
  const recovery = createOutageRecovery(jobs, times.leaseMs + 2 * times.pollMs);
  const kinds = (Object.keys(handlers) as JobKind[]).filter((kind) => handlers[kind]);
  /** Consecutive runs that ended because the storage was unavailable. */
  let consecutiveOutages = 0;
  let polling: Promise<void> | undefined;
  let isWokenAgain = false;
  let stopping: Promise<void> | undefined;
  let clearPollTimer: (() => void) | undefined;

  const runningOf = (kind: JobKind, isUrgent: boolean): RunningJob[] =>
    [...running.values()].filter((job) => job.kind === kind && job.isUrgent === isUrgent);

  function hasCapacity(kind: JobKind): boolean {
    const { concurrency = 0 } = handlers[kind] ?? {};
    const jobsOfKind = runningOf(kind, false);
    return (
      jobsOfKind.length < concurrency * maxJobsPerSlot &&
      jobsOfKind.filter((job) => !job.isWaiting).length < concurrency
    );
  }

  /** Claims a job of the project with the fewest running jobs here, or else an urgent one. */
  async function claimNext(kind: JobKind): Promise<boolean> {
    if (stopping || (handlers[kind]?.isAlwaysReady !== true && !isReady())) return false;
    const { maxPerProject, extraUrgentConcurrency = 0, urgentAfterMs = Infinity } = handlers[kind] ?? {};
    const exclusions = hasCapacity(kind) ? projectExclusions(runningOf(kind, false), maxPerProject) : [];
    for (const except of exclusions) if (await claim({ kind, except })) return true;
    // No job is due in any project, or enough urgent ones are running.
    if (exclusions.some((except) => except.length === 0) || runningOf(kind, true).length >= extraUrgentConcurrency)
      return false;
    if (await claim({ kind, due: 'urgent' })) return true;
    return urgentAfterMs < Infinity && claim({ kind, due: { minWaitingMs: urgentAfterMs } });
  }

  async function claim({ kind, except = [], due }: ClaimFilter): Promise<boolean> {
    const claimedAt = performance.now();
    const lease = await recovery.claim({ kinds: [kind], leaseMs: times.leaseMs, except, ...(due && { due }) });
    if (lease) startJob(lease, claimedAt, due !== undefined);
    return lease !== undefined;
  }

  async function poll(): Promise<void> {
    await recovery.settle();
    for (let hasClaimed = true; hasClaimed || needsAnotherPass();) {
      isWokenAgain = false;
      hasClaimed = false;
      for (const kind of kinds) hasClaimed = (await claimNext(kind)) || hasClaimed;
    }
  }

  /** A function, since the value changes during the loop. */
  const needsAnotherPass = (): boolean => isWokenAgain;

  function wake(): void {
    if (stopping) return;
    if (polling) {
      isWokenAgain = true;
      return;
    }
    clearPollTimer?.();
    polling = poll()
      .catch((error: unknown) => report('failed to poll for jobs', error))
      .finally(() => {
        polling = undefined;
        if (stopping) return;
        // `wake` was called after the last poll and before this callback.
        if (isWokenAgain) wake();
        // Random, so that servers which start together do not poll together.
        else clearPollTimer = unrefTimeout(times.pollMs * (0.75 + Math.random() / 2), wake);
      });
  }

  function startJob(lease: Lease, claimedAt: number, isUrgent: boolean): void {
    const controller = new AbortController();
    if (stopping) controller.abort(new JobAborted('stopping'));
    const job: RunningJob = { kind: lease.kind, project: lease.project, controller, isUrgent, isWaiting: false };
    const work = run(lease, claimedAt, job)
      .catch((error: unknown) => report('failed to release a job', error))
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.set(work, job);
  }

  async function run(lease: Lease, claimedAt: number, job: RunningJob): Promise<void> {
    const { controller } = job;
    const { signal } = controller;
    const setWaiting = (isWaiting: boolean): void => {
      if (job.isWaiting === isWaiting) return;
      job.isWaiting = isWaiting;
      if (isWaiting) wake();
    };
    const onLost = (reason: LeaseLossReason): void => {
      if (reason === 'not_renewed') recovery.releaseLater(lease);
      controller.abort(new JobAborted('lost'));
    };
    const renewal = keepLease({
      renew: () => jobs.renew(lease, times.leaseMs),
      what: 'a job',
      claimedAt,
      times,
      onLost,
      report,
      onFailure: recovery.onFailure,
    });
    let retryAfterMs: number | undefined;
    try {
      if (!signal.aborted)
        await Promise.race([handlers[lease.kind]?.run(lease, signal, setWaiting), rejectWhenOverdue(signal)]);
      if (!signal.aborted) {
        consecutiveOutages = 0;
        return;
      }
    } catch (error) {
      if (error instanceof AtCapacityError) {
        await recovery.release(lease, { afterMs: signal.aborted ? 0 : error.retryAfterMs, skipAttempt: true });
        return;
      }
      if (!signal.aborted && isStorageUnavailable(error)) {
        report(`${lease.kind} job failed, it will be retried`, error);
        // Does not count as an attempt: attempts are limited, and an outage may outlast all of them.
        await recovery.release(lease, { afterMs: retryDelayMs(++consecutiveOutages, times), skipAttempt: true });
        return;
      }
      if (!signal.aborted) {
        if (!(error instanceof JobAborted)) report(`${lease.kind} job failed, it will be retried`, error);
        retryAfterMs = retryDelayMs(lease.attempt, times);
      }
    } finally {
      renewal.stop();
    }
    if (signal.reason instanceof JobAborted && signal.reason.kind === 'lost') return;
    await recovery.release(lease, retryAfterMs === undefined ? {} : { afterMs: retryAfterMs });
  }

  async function stop(withinMs: number): Promise<void> {
    clearPollTimer?.();
    for (const { controller } of running.values()) controller.abort(new JobAborted('stopping', withinMs));
    await polling;
    await Promise.all(running.keys());
    await recovery.settle().catch((error: unknown) => report('failed to release jobs', error));
  }

  wake();
  return { wake, running: () => running.size, stop: (withinMs = 0) => (stopping ??= stop(withinMs)) };
}

/**
 * The projects to exclude from each of several claims: first every project with a job here, then those with more jobs than the project with
 * the fewest, and so on. Projects that have reached `maxPerProject` are always excluded.
 */
function projectExclusions(running: readonly RunningJob[], maxPerProject = Infinity): readonly string[][] {
  const counts = new Map<string, { all: number; busy: number }>();
  for (const { project, isWaiting } of running) {
    const { all, busy } = counts.get(project) ?? { all: 0, busy: 0 };
    counts.set(project, { all: all + 1, busy: busy + Number(!isWaiting) });
  }
  const levels = [...new Set([0, ...[...counts.values()].map(({ busy }) => busy)])].filter(
    (level) => level < maxPerProject,
  );
  return levels
    .toSorted((a, b) => a - b)
    .map((level) =>
      [...counts]
        .filter(([, { all, busy }]) => busy > level || all >= maxPerProject * maxJobsPerSlot)
        .map(([project]) => project),
    );
}

/** Rejects when an aborted job has not ended within its grace period. */
function rejectWhenOverdue(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => {
      const withinMs = signal.reason instanceof JobAborted ? signal.reason.withinMs : 0;
      unrefTimeout(withinMs + graceMs, () => reject(signal.reason as Error));
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
