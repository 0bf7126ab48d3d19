import type { JobKind, JobStore, Lease } from '../ports/job-store.ts';
import { keepLease } from './keep-lease.ts';
import { later } from './later.ts';
import { graceMs, restMs } from './times.ts';
import type { JobTimes } from './times.ts';

/** What is done for jobs of one kind. */
export interface JobHandler {
  /** How many a worker does at once. */
  readonly atOnce: number;
  /** Whether what it is just at may end in the time that a server that stops has, instead of being done again. Default: no. */
  readonly drains?: boolean;
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
  poke(): void;
  /** Jobs that it is doing. */
  running(): number;
  /** Takes no more jobs and gives back those it has, for other servers to go on. What they are just at may end within so many milliseconds. */
  stop(withinMs?: number): Promise<void>;
}

/** Why a handler's signal aborts: the job is another's now, or this server stops. */
export class JobAborted extends Error {
  override readonly name = 'JobAborted';
  readonly why: 'lost' | 'stopping';
  /** What is under way may end in so many milliseconds; the job stays ours meanwhile. */
  readonly withinMs: number;

  constructor(why: 'lost' | 'stopping', withinMs = 0) {
    super(why === 'lost' ? 'the job is no longer ours' : 'the server stops');
    this.why = why;
    this.withinMs = withinMs;
  }
}

/** What a handler throws that has no room for a job, and has done nothing for it: others may take it, or it itself a little later. */
export class NoRoom extends Error {
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
  readonly controller: AbortController;
  waiting: boolean;
}

/** How many times as many jobs may be held as are done at once, the others waiting. */
const maxWaiting = 8;

/** Takes jobs from the store, one lease each, and has them done (docs/decisions/0007). */
export function startWorker({ jobs, handlers, times, ready = () => true, report }: WorkerInit): Worker {
  const running = new Map<Promise<void>, Running>();
  const kinds = (Object.keys(handlers) as JobKind[]).filter((kind) => handlers[kind]);
  let looking: Promise<void> | undefined;
  let again = false;
  let stopping: Promise<void> | undefined;
  let callOffPoll: (() => void) | undefined;

  function withRoom(): JobKind[] {
    if (!ready()) return [];
    return kinds.filter((kind) => {
      const { atOnce = 0 } = handlers[kind] ?? {};
      const same = [...running.values()].filter((one) => one.kind === kind);
      return same.length < atOnce * maxWaiting && same.filter((one) => !one.waiting).length < atOnce;
    });
  }

  async function look(): Promise<void> {
    for (let open = withRoom(); open.length > 0 && !stopping; open = withRoom()) {
      again = false;
      const now = Date.now();
      const until = now + times.leaseMs;
      const lease = await jobs.claim({ kinds: open, now, until });
      if (lease) begin(lease, until);
      else if (!wokenAgain()) break;
    }
  }

  /** Whether there was a poke since it last looked. */
  const wokenAgain = (): boolean => again;

  function poke(): void {
    if (stopping) return;
    if (looking) {
      again = true;
      return;
    }
    callOffPoll?.();
    looking = look()
      .catch((error: unknown) => report('jobs were not looked for', error))
      .finally(() => {
        looking = undefined;
        // Many servers that were started together need not ask together.
        if (!stopping) callOffPoll = later(times.pollMs * (0.75 + Math.random() / 2), poke);
      });
  }

  function begin(lease: Lease, until: number): void {
    const controller = new AbortController();
    if (stopping) controller.abort(new JobAborted('stopping'));
    const one: Running = { kind: lease.kind, controller, waiting: false };
    const work = run(lease, until, one)
      .catch((error: unknown) => report('a job was not given back', error))
      .finally(() => {
        running.delete(work);
        poke();
      });
    running.set(work, one);
  }

  async function run(lease: Lease, until: number, one: Running): Promise<void> {
    const { controller } = one;
    const { signal } = controller;
    const waits = (waiting: boolean): void => {
      if (one.waiting === waiting) return;
      one.waiting = waiting;
      if (waiting) poke();
    };
    const lost = (): void => controller.abort(new JobAborted('lost'));
    const keeping = keepLease({ jobs, lease, until, times, lost, report });
    let rest = 0;
    try {
      if (!signal.aborted) await Promise.race([handlers[lease.kind]?.run(lease, signal, waits), overdue(signal)]);
      if (!signal.aborted) return;
    } catch (error) {
      if (error instanceof NoRoom) {
        await jobs.release(lease, Date.now() + (signal.aborted ? 0 : error.restMs), { untouched: true });
        return;
      }
      if (!signal.aborted && !(error instanceof JobAborted)) {
        report(`a ${lease.kind} will be tried again`, error);
        rest = restMs(lease.attempt, times);
      }
    } finally {
      keeping.stop();
    }
    if (signal.reason instanceof JobAborted && signal.reason.why === 'lost') return;
    await jobs.release(lease, Date.now() + rest);
  }

  async function stop(withinMs: number): Promise<void> {
    callOffPoll?.();
    for (const { kind, controller } of running.values()) {
      controller.abort(new JobAborted('stopping', handlers[kind]?.drains === true ? withinMs : 0));
    }
    await looking;
    await Promise.all(running.keys());
  }

  poke();
  return { poke, running: () => running.size, stop: (withinMs = 0) => (stopping ??= stop(withinMs)) };
}

/** Rejects when what was aborted has had its time. */
function overdue(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => {
      const within = signal.reason instanceof JobAborted ? signal.reason.withinMs : 0;
      later(within + graceMs, () => reject(signal.reason as Error));
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
