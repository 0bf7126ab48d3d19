import type { JobStore, Lease } from '@modelwire/ports';
import { JobAborted } from './job-aborted.ts';

/** What was at work in so many crashes of its worker is failed. */
export const maxCrashes = 3;

/**
 * The units of a job's work (lines of a batch, for instance) that were at work when their worker crashed, and may be what crashed it.
 *
 * After the first crash each unit that was at work is a suspect. From then on suspects are at work one at a time, with no other suspect
 * of this worker beside them, and which one it is is written down before it begins. So a crash counts only for the unit that was at
 * work, honest ones are done and forgotten, and what crashes its worker again and again reaches `maxCrashes`. A worker that is killed
 * from outside condemns nothing unless it is killed at the same unit each time, with all other suspects done.
 */
export interface Suspects {
  /** The number that `setWindow` wrote last; undefined if it was never called for this job. */
  window(): number | undefined;
  /**
   * Writes down how many units may be at work, or be done without a stored result: as many are suspects after a crash. Await it before that
   * number is exceeded. @throws JobAborted when the lease was lost.
   */
  setWindow(units: number): Promise<void>;
  /** In how many crashes the unit was at work. */
  crashesOf(unit: number): number;
  /** The suspects that were in so many crashes. */
  of(crashes: number): readonly number[];
  /** Writes down that this suspect begins, alone. @throws JobAborted when the lease was lost. */
  begin(unit: number): Promise<void>;
  /** It is at work no more. Resolves when that is written down, or was reported as not written. */
  end(): Promise<void>;
  /** Resolves when nothing is being written. Awaited before the job is given back: its lease is needed to write. */
  settled(): Promise<void>;
}

interface Notes {
  readonly crashes: readonly (readonly [unit: number, crashes: number])[];
  readonly alone: number | null;
  /** Left out until `setWindow` is called. */
  readonly window?: number | undefined;
}

interface SuspectsInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /** What may have been at work when the worker crashed, if no suspect was. Called after a crash only. `window` is the number that `setWindow` wrote. */
  readonly atWork: (isSuspect: (unit: number) => boolean, window: number | undefined) => readonly number[];
  /** It has been done: it cannot crash anything any more. */
  readonly isDone: (unit: number) => boolean;
  readonly report: (what: string, error: unknown) => void;
}

/** Reads the suspects of a job that was claimed, and counts the crash that it was claimed after, if any. */
export async function suspectsOf({ jobs, lease, atWork, isDone, report }: SuspectsInit): Promise<Suspects> {
  // What `write` wrote.
  const before: Notes = lease.notes === undefined ? { crashes: [], alone: null } : (JSON.parse(lease.notes) as Notes);
  const crashes = new Map(before.crashes.filter(([unit]) => !isDone(unit)));
  if (lease.crashes > 0) {
    if (before.alone === null)
      for (const unit of atWork((one) => crashes.has(one), before.window)) crashes.set(unit, crashes.get(unit) ?? 1);
    else if (!isDone(before.alone)) crashes.set(before.alone, (crashes.get(before.alone) ?? 0) + 1);
  }
  let { window } = before;
  let current: number | null = null;
  let writing: Promise<void> = Promise.resolve();

  function write(alone: number | null): Promise<void> {
    current = alone;
    const text = JSON.stringify({ crashes: [...crashes], alone, window } satisfies Notes);
    // One after the other: what was written last is what is read.
    const written = writing
      .catch(() => undefined)
      .then(async () => {
        if (!(await jobs.note(lease, text))) throw new JobAborted('lost');
      });
    writing = written;
    return written;
  }

  if (lease.crashes > 0 || before.alone !== null) await write(null);
  return {
    window: () => window,
    setWindow(units) {
      window = units;
      return write(current);
    },
    crashesOf: (unit) => crashes.get(unit) ?? 0,
    of: (count) => [...crashes].flatMap(([unit, times]) => (times === count ? [unit] : [])),
    begin: write,
    async end() {
      try {
        await write(null);
      } catch (error) {
        // With a lost lease, the worker that has the job now writes.
        if (!(error instanceof JobAborted)) report('the end of a suspect was not written', error);
      }
    },
    settled: () => writing.catch(() => undefined),
  };
}
