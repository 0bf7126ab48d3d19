import type { JobStore, Lease } from '@modelwire/ports';
import { JobAborted } from './job-aborted.ts';

/** A unit of work that ran alone during this many crashes of its worker, without progress in between, is failed. */
export const maxCrashes = 3;

/**
 * The units of work of a job, such as lines of a batch, that were running when their worker crashed, and may have caused the crash.
 *
 * After a crash, each unit that was running is a suspect. From then on, suspects run one at a time, with no other suspect of this
 * worker in parallel, and each is recorded before it starts (`quarantine.ts`). Only crashes during which a suspect ran alone count. Harmless
 * units complete and are no longer suspects; a unit that crashes its worker repeatedly reaches `maxCrashes`. A worker that is killed for
 * other reasons fails no unit, unless it is killed at the same unit each time.
 */
export interface Suspects {
  /** The number that `setWindow` stored last; undefined if it was never called for this job. */
  window(): number | undefined;
  /**
   * Stores how many units may be running, or be done without a stored result: as many are suspects after a crash. Await it before that
   * number is exceeded. @throws JobAborted when the lease was lost.
   */
  setWindow(units: number): Promise<void>;
  /** The number of crashes during which the unit ran alone; undefined if it is not a suspect. */
  crashesOf(unit: number): number | undefined;
  /** The suspects with this number of crashes. */
  withCrashes(crashes: number): readonly number[];
  /** The most crashes that a suspect has; undefined without suspects. */
  mostCrashes(): number | undefined;
  /** Records that this suspect starts, with no other in parallel. @throws JobAborted when the lease was lost. */
  begin(unit: number): Promise<void>;
  /**
   * Records that the work that began as one unit has progressed to the next: the unit that it has passed is no longer a suspect.
   * @throws JobAborted when the lease was lost.
   */
  advance(unit: number): Promise<void>;
  /** Records that the suspect has ended. Resolves when that is stored, or the failure was reported. */
  end(): Promise<void>;
  /** Resolves when no write is pending. Await it before the job is released, because writing requires its lease. */
  settled(): Promise<void>;
}

interface StoredSuspects {
  /** The suspects, with the crashes during which each ran alone. */
  readonly crashes: readonly (readonly [unit: number, crashes: number])[];
  readonly alone: number | null;
  /** Left out until `setWindow` is called. */
  readonly window?: number | undefined;
}

export interface SuspectsInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /**
   * The units that may have been running when the worker crashed, if no suspect was. Called only after a crash. `window` is the number that
   * `setWindow` stored.
   */
  readonly runningAtCrash: (
    isSuspect: (unit: number) => boolean,
    window: number | undefined,
  ) => readonly number[] | Promise<readonly number[]>;
  /** Whether the unit is done, so that it can no longer crash a worker. */
  readonly isDone: (unit: number) => boolean;
  readonly report: (what: string, error: unknown) => void;
}

/** Reads the suspects of a claimed job, and counts the crash that preceded the claim, if any. */
export async function loadSuspects({ jobs, lease, runningAtCrash, isDone, report }: SuspectsInit): Promise<Suspects> {
  // The format that `write` stores.
  const stored: StoredSuspects =
    lease.notes === undefined ? { crashes: [], alone: null } : (JSON.parse(lease.notes) as StoredSuspects);
  const crashes = new Map(stored.crashes.filter(([unit]) => !isDone(unit)));
  if (lease.crashes > 0) {
    if (stored.alone === null)
      for (const unit of await runningAtCrash((one) => crashes.has(one), stored.window))
        crashes.set(unit, crashes.get(unit) ?? 0);
    else if (!isDone(stored.alone)) crashes.set(stored.alone, (crashes.get(stored.alone) ?? 0) + 1);
  }
  let { window } = stored;
  let current: number | null = null;
  let lastWrite: Promise<void> = Promise.resolve();

  function write(alone: number | null): Promise<void> {
    current = alone;
    const text = JSON.stringify({ crashes: [...crashes], alone, window } satisfies StoredSuspects);
    // One write at a time, so that the last one is the one that is read.
    const currentWrite = lastWrite
      .catch(() => undefined)
      .then(async () => {
        if (!(await jobs.note(lease, text))) throw new JobAborted('lost');
      });
    lastWrite = currentWrite;
    return currentWrite;
  }

  if (lease.crashes > 0 || stored.alone !== null) await write(null);
  return {
    window: () => window,
    setWindow(units) {
      window = units;
      return write(current);
    },
    crashesOf: (unit) => crashes.get(unit),
    withCrashes: (count) => [...crashes].flatMap(([unit, times]) => (times === count ? [unit] : [])),
    mostCrashes: () => (crashes.size === 0 ? undefined : Math.max(...crashes.values())),
    begin: write,
    advance(unit) {
      if (current !== null) crashes.delete(current);
      return write(unit);
    },
    async end() {
      try {
        await write(null);
      } catch (error) {
        // After the lease was lost, the next worker records the suspects.
        if (!(error instanceof JobAborted)) report('failed to record the end of a suspect', error);
      }
    },
    settled: () => lastWrite.catch(() => undefined),
  };
}
