import type { Release, Semaphore } from '@modelwire/adapter-kit';
import type { JobStore, Lease } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { RunningJobs } from './running-jobs.ts';
import { accessEndOf, watchAccess } from '../limits/access-end.ts';
import type { AccessRule, PolicySource } from '../limits/access-end.ts';
import { unrefTimeout } from '../timers.ts';
import { JobAborted } from './job-aborted.ts';
import { enterQuarantine } from './quarantine.ts';
import type { QuarantinedUnit } from './quarantine.ts';
import { loadSuspects, maxCrashes } from './suspects.ts';
import type { Suspects, SuspectsInit } from './suspects.ts';
import type { JobTimes } from './times.ts';

/** A job that a worker has claimed: what it gives to the handler. */
export interface ClaimedJob {
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly setWaiting: (isWaiting: boolean) => void;
}

/** What all jobs of a worker share. */
export interface GuardContext {
  readonly server: PolicySource & {
    readonly runningJobs: RunningJobs;
    readonly options: { readonly jobTimes: JobTimes; readonly report: (what: string, error: unknown) => void };
  };
  readonly stores: { readonly jobs: JobStore };
  /** One permit, for work that may have crashed a worker, whatever its kind. */
  readonly quarantine: Semaphore;
}

/** The units of work of a job, of which those that were running when a worker crashed are suspects. */
export interface JobUnits extends Pick<SuspectsInit, 'runningAtCrash' | 'isDone'> {
  /**
   * `each`: the run isolates its suspects one by one (`JobGuard.isolate`). Otherwise units follow each other: the run begins with `first`, and as
   * a whole in quarantine if there is a suspect.
   */
  readonly isolation: 'each' | { readonly first: number; readonly crashMessage: (unit: number) => string };
}

/**
 * One run of a job. Every step has to be stated; `noUnits`, `unobserved`, `occupiesNothing`, `unchecked` and `neverRemoved` state that a job does
 * without one.
 */
export interface GuardedJob<Observed> {
  /** The job ends when its key is revoked or its project archived. */
  readonly access: AccessRule | 'unchecked';
  /** The job fails after `max` attempts, with a message about its `subject`, such as `The video`. */
  readonly attempts: { readonly max: number; readonly subject: string } | 'unlimited';
  readonly units: JobUnits;
  /** Returns the function that releases what the run occupies. @throws AtCapacityError if another worker should try. */
  readonly acquire: () => Release;
  readonly observe: (signal: AbortSignal, run: (observed: Observed) => Promise<void>) => Promise<void>;
  /** Whether the run may finish while a server that stops drains, or is aborted immediately. */
  readonly onStop: 'finish' | 'abort';
  readonly removal: Removal;
  /** @throws what the job is retried for. */
  readonly run: (guard: JobGuard<Observed>) => Promise<void>;
  /** Ends the job in the store, without a retry. */
  readonly fail: (error: RequestError) => Promise<void>;
}

/** What happens when a client deletes or cancels what the job works on. */
export interface Removal {
  /** The reason with which the run is aborted. */
  readonly reason: Error;
  /** Whether that is why the lease was lost: a client can do it through another server. */
  readonly isCause: () => Promise<boolean>;
}

export interface JobGuard<Observed> {
  /** Aborts when the run must end. */
  readonly signal: AbortSignal;
  readonly observed: Observed;
  readonly suspects: Suspects;
  /** Aborts the run, after a write showed that the lease is lost. */
  readonly lost: () => void;
  /** Waits until the suspect may run alone. Resolves with the function to call when it has ended. */
  readonly isolate: (unit: QuarantinedUnit) => Promise<() => Promise<void>>;
}

export const noUnits: JobUnits = { runningAtCrash: () => [], isDone: () => true, isolation: 'each' };
export const occupiesNothing = (): Release => () => undefined;
export const unobserved: GuardedJob<undefined>['observe'] = (_signal, run) => run(undefined);
export const neverRemoved: Removal = { reason: new JobAborted('lost'), isCause: () => Promise.resolve(false) };

/**
 * Runs a job that was claimed: ends it if its key may not be used any more, if it was started too often, or if it crashed its worker too often
 * while it ran alone; keeps it alone if it may have crashed one; aborts it when its lease is lost, its server stops, its key is revoked or a
 * client removes it.
 */
export async function guardedJob<Observed>(
  context: GuardContext,
  claim: ClaimedJob,
  job: GuardedJob<Observed>,
): Promise<void> {
  const { server, stores, quarantine } = context;
  const { lease, setWaiting } = claim;
  if (job.access !== 'unchecked') {
    const accessEnd = await accessEndOf(server, job.access);
    if (accessEnd) return job.fail(accessEnd);
  }
  if (job.attempts !== 'unlimited' && lease.attempt > job.attempts.max)
    return job.fail(
      failure('too_many_attempts', `${job.attempts.subject} was started too many times without completing.`),
    );
  const { jobTimes: times, report } = server.options;
  const suspects = await loadSuspects({ jobs: stores.jobs, lease, report, ...job.units });
  const isolate = (unit: QuarantinedUnit): Promise<() => Promise<void>> =>
    enterQuarantine({ quarantine, suspects, times, project: lease.project }, unit);
  const leave = await enter();
  if (leave === undefined) return;
  try {
    const { signal, abort, lost } = createAbort(claim, job);
    await job.observe(signal, (observed) =>
      runWatched(context, { lease, job, abort, guard: { signal, observed, suspects, lost, isolate } }),
    );
  } finally {
    await leave();
  }

  /** Acquires what the run needs. Undefined if the job has failed instead. */
  async function enter(): Promise<(() => void | Promise<void>) | undefined> {
    const { isolation } = job.units;
    const crashes = suspects.mostCrashes();
    if (isolation === 'each' || crashes === undefined) return job.acquire();
    if (crashes >= maxCrashes) {
      const [unit = isolation.first] = suspects.withCrashes(crashes);
      await job.fail(failure('worker_crashed', isolation.crashMessage(unit)));
      return undefined;
    }
    return isolate({ unit: isolation.first, crashes, signal: claim.signal, setWaiting, acquire: job.acquire });
  }
}

interface WatchedRun<Observed> {
  readonly lease: Lease;
  readonly job: GuardedJob<Observed>;
  readonly abort: (reason: Error) => void;
  readonly guard: JobGuard<Observed>;
}

/** Runs the job while its record exists and its key may be used. */
async function runWatched<Observed>(
  { server }: GuardContext,
  { lease, job, abort, guard }: WatchedRun<Observed>,
): Promise<void> {
  const deregister = server.runningJobs.register(lease.id, () => abort(job.removal.reason));
  const { access } = job;
  const stopWatching =
    access !== 'unchecked' &&
    watchAccess(server, access, async (end) => {
      if (access.onEnd === 'abort') abort(end);
      else await job.fail(end);
    });
  try {
    await job.run(guard);
  } catch (error) {
    const reason: unknown = guard.signal.reason;
    // A request with the key would be refused, so the job is not retried.
    if (reason instanceof RequestError) await job.fail(reason);
    // The record was removed together with its job.
    else if (reason !== job.removal.reason) throw error;
  } finally {
    if (stopWatching) stopWatching();
    deregister();
  }
}

/** Timeout for finding out why a lease was lost, shorter than the grace period of an aborted job. */
const removalTimeoutMs = 1000;

/** The signal of a run, which aborts later or for other reasons than that of the worker. */
function createAbort(claim: ClaimedJob, { onStop, removal }: Pick<GuardedJob<unknown>, 'onStop' | 'removal'>) {
  const controller = new AbortController();
  const abort = (reason: unknown): void => controller.abort(reason);
  function lost(): void {
    const clearTimer = unrefTimeout(removalTimeoutMs, () => abort(new JobAborted('lost')));
    removal
      .isCause()
      .then((isRemoved) => abort(isRemoved ? removal.reason : new JobAborted('lost')))
      .catch(() => abort(new JobAborted('lost')))
      .finally(clearTimer);
  }
  function onAbort(): void {
    const reason: unknown = claim.signal.reason;
    if (!(reason instanceof JobAborted)) abort(reason);
    else if (reason.kind === 'lost') lost();
    else if (onStop === 'finish' && reason.withinMs > 0) unrefTimeout(reason.withinMs, () => abort(reason));
    else abort(reason);
  }
  claim.signal.addEventListener('abort', onAbort, { once: true });
  if (claim.signal.aborted) onAbort();
  return { signal: controller.signal, abort, lost };
}

function failure(code: string, message: string): RequestError {
  return new RequestError(message, { status: 500, code });
}
