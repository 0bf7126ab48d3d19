import type { DueJobs, JobKind, JobStore, Lease } from '@modelwire/ports';
import { JobAborted } from './job-aborted.ts';
import { createOutageRecovery } from './outage-recovery.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import { keepLease } from './keep-lease.ts';
import type { LeaseLossReason } from './keep-lease.ts';
import { unrefTimeout } from '../timers.ts';
import { graceMs, restMs } from './times.ts';
import type { JobTimes } from './times.ts';

/** What is done for jobs of one kind. */
export interface JobHandler {
  /** How many a worker does at once. */
  readonly concurrency: number;
  /** How many of them may be of one project, though there be room. Default: all. */
  readonly maxPerProject?: number;
  /** How many that are in a hurry it does beside them. Default: none. */
  readonly urgentConcurrency?: number;
  /** Milliseconds after which one that nobody has begun is in a hurry, too. Default: never. */
  readonly urgentAfterMs?: number;
  /** Whether what it is just at may end in the time that a server that stops has, instead of being done again. Default: no. */
  readonly drains?: boolean;
  /** Whether it needs no models, and runs also while `ready` says no. Default: no. */
  readonly isAlwaysReady?: boolean;
  /**
   * Does the job, and ends it in the store; what a run before this one has done is there. Every write carries the lease. When
   * `signal` aborts it brings in what is done already and comes to an end. When it throws, the job is tried again later. One that
   * only waits for something that is not ours may say so: its place is then another's.
   */
  run(lease: Lease, signal: AbortSignal, waits: (waiting: boolean) => void): Promise<void>;
}

export interface WorkerInit {
  readonly jobs: JobStore;
  readonly handlers: Readonly<Partial<Record<JobKind, JobHandler>>>;
  readonly times: JobTimes;
  /** Whether jobs may be taken now. Default: always. */
  readonly ready?: () => boolean;
  readonly report: (what: string, error: unknown) => void;
}

export interface Worker {
  /** There is something to do: it looks now. */
  wake(): void;
  /** Jobs that it is doing. */
  running(): number;
  /** Takes no more jobs and gives back those it has, for other servers to go on. What they are just at may end within so many milliseconds. */
  stop(withinMs?: number): Promise<void>;
}

/** What a handler throws that has no room for a job, and has done nothing for it: others may take it, or it itself a little later. */
export class AtCapacityError extends Error {
  override readonly name = 'NoRoom';
  /** Milliseconds until it is to be taken again. */
  readonly restMs: number;

  constructor(restMs: number) {
    super('there is no room for this job');
    this.restMs = restMs;
  }
}

interface Running {
  readonly kind: JobKind;
  readonly project: string;
  readonly controller: AbortController;
  /** Beside all others: it takes nobody's place. */
  readonly isUrgent: boolean;
  waiting: boolean;
}

interface Take {
  readonly kind: JobKind;
  readonly except?: readonly string[];
  /** Given for those that are done beside the others. */
  readonly due?: DueJobs;
}

/** How many times as many jobs may be held as are done at once, the others waiting. */
const maxWaiting = 8;

/** Takes jobs from the store, one lease each, and has them done (docs/decisions/0007). */
export function startWorker({ jobs, handlers, times, ready = () => true, report }: WorkerInit): Worker {
  const running = new Map<Promise<void>, Running>();
  const recovery = createOutageRecovery(jobs, times.leaseMs + 2 * times.pollMs);
  const kinds = (Object.keys(handlers) as JobKind[]).filter((kind) => handlers[kind]);
  /** Runs in a row that ended because the storage was unavailable. */
  let outages = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  let stopping: Promise<void> | undefined;
  let clearPollTimer: (() => void) | undefined;

  const runningOf = (kind: JobKind, isUrgent: boolean): Running[] =>
    [...running.values()].filter((job) => job.kind === kind && job.isUrgent === isUrgent);

  function hasRoom(kind: JobKind): boolean {
    const { concurrency = 0 } = handlers[kind] ?? {};
    const same = runningOf(kind, false);
    return same.length < concurrency * maxWaiting && same.filter((job) => !job.waiting).length < concurrency;
  }

  /** Takes a job of the project that this worker does least for, or one that is in a hurry. */
  async function take(kind: JobKind): Promise<boolean> {
    if (stopping || (handlers[kind]?.isAlwaysReady !== true && !ready())) return false;
    const { maxPerProject, urgentConcurrency = 0, urgentAfterMs = Infinity } = handlers[kind] ?? {};
    const tries = hasRoom(kind) ? passedOver(runningOf(kind, false), maxPerProject) : [];
    for (const except of tries) if (await claim({ kind, except })) return true;
    // None is due of any project, or enough are done beside the others.
    if (tries.some((except) => except.length === 0) || runningOf(kind, true).length >= urgentConcurrency) return false;
    if (await claim({ kind, due: 'urgent' })) return true;
    return urgentAfterMs < Infinity && claim({ kind, due: { notBegunForMs: urgentAfterMs } });
  }

  async function claim({ kind, except = [], due }: Take): Promise<boolean> {
    const since = performance.now();
    const lease = await recovery.claim({ kinds: [kind], leaseMs: times.leaseMs, except, ...(due && { due }) });
    if (lease) begin(lease, since, due !== undefined);
    return lease !== undefined;
  }

  async function look(): Promise<void> {
    await recovery.settle();
    for (let taken = true; taken || wokenAgain();) {
      again = false;
      taken = false;
      for (const kind of kinds) taken = (await take(kind)) || taken;
    }
  }

  /** Whether there was a wake since it last looked. */
  const wokenAgain = (): boolean => again;

  function wake(): void {
    if (stopping) return;
    if (looking) {
      again = true;
      return;
    }
    clearPollTimer?.();
    looking = look()
      .catch((error: unknown) => report('jobs were not looked for', error))
      .finally(() => {
        looking = undefined;
        if (stopping) return;
        // Poked when it had looked its last, and was not over yet.
        if (again) wake();
        // Many servers that were started together need not ask together.
        else clearPollTimer = unrefTimeout(times.pollMs * (0.75 + Math.random() / 2), wake);
      });
  }

  function begin(lease: Lease, since: number, isUrgent: boolean): void {
    const controller = new AbortController();
    if (stopping) controller.abort(new JobAborted('stopping'));
    const job: Running = { kind: lease.kind, project: lease.project, controller, isUrgent, waiting: false };
    const work = run(lease, since, job)
      .catch((error: unknown) => report('a job was not given back', error))
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.set(work, job);
  }

  async function run(lease: Lease, since: number, job: Running): Promise<void> {
    const { controller } = job;
    const { signal } = controller;
    const waits = (waiting: boolean): void => {
      if (job.waiting === waiting) return;
      job.waiting = waiting;
      if (waiting) wake();
    };
    const lost = (by: LeaseLossReason): void => {
      if (by === 'not_renewed') recovery.releaseLater(lease);
      controller.abort(new JobAborted('lost'));
    };
    const keeping = keepLease({ jobs, lease, since, times, lost, report, onFailure: recovery.onFailure });
    let afterMs: number | undefined;
    try {
      if (!signal.aborted) await Promise.race([handlers[lease.kind]?.run(lease, signal, waits), overdue(signal)]);
      if (!signal.aborted) {
        outages = 0;
        return;
      }
    } catch (error) {
      if (error instanceof AtCapacityError) {
        await recovery.release(lease, { afterMs: signal.aborted ? 0 : error.restMs, untouched: true });
        return;
      }
      if (!signal.aborted && isStorageUnavailable(error)) {
        report(`a ${lease.kind} will be tried again`, error);
        // Not an attempt of the job: those are counted, and an outage may take longer than all of them.
        await recovery.release(lease, { afterMs: restMs(++outages, times), untouched: true });
        return;
      }
      if (!signal.aborted) {
        if (!(error instanceof JobAborted)) report(`a ${lease.kind} will be tried again`, error);
        afterMs = restMs(lease.attempt, times);
      }
    } finally {
      keeping.stop();
    }
    if (signal.reason instanceof JobAborted && signal.reason.why === 'lost') return;
    await recovery.release(lease, afterMs === undefined ? {} : { afterMs });
  }

  async function stop(withinMs: number): Promise<void> {
    clearPollTimer?.();
    for (const { kind, controller } of running.values()) {
      controller.abort(new JobAborted('stopping', handlers[kind]?.drains === true ? withinMs : 0));
    }
    await looking;
    await Promise.all(running.keys());
    await recovery.settle().catch((error: unknown) => report('jobs were not given back', error));
  }

  wake();
  return { wake, running: () => running.size, stop: (withinMs = 0) => (stopping ??= stop(withinMs)) };
}

/**
 * Which projects to pass over, one try after the other: all that have a job here, then those that have more than the least of them, and
 * so on. Those that have as many as they may are never asked for.
 */
function passedOver(running: readonly Running[], most = Infinity): readonly string[][] {
  const held = new Map<string, { all: number; busy: number }>();
  for (const { project, waiting } of running) {
    const { all, busy } = held.get(project) ?? { all: 0, busy: 0 };
    held.set(project, { all: all + 1, busy: busy + Number(!waiting) });
  }
  const levels = [...new Set([0, ...[...held.values()].map(({ busy }) => busy)])].filter((level) => level < most);
  return levels
    .toSorted((a, b) => a - b)
    .map((level) =>
      [...held].filter(([, { all, busy }]) => busy > level || all >= most * maxWaiting).map(([project]) => project),
    );
}

/** Rejects when what was aborted has had its time. */
function overdue(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => {
      const within = signal.reason instanceof JobAborted ? signal.reason.withinMs : 0;
      unrefTimeout(within + graceMs, () => reject(signal.reason as Error));
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
