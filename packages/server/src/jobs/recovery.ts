import { randomUUID } from 'node:crypto';
import type { JobStore, Lease } from '@modelwire/ports';
import { JobAborted } from './job-aborted.ts';

type ClaimInit = Omit<Parameters<JobStore['claim']>[0], 'token' | 'countCrash'>;
type ReleaseInit = Parameters<JobStore['release']>[1];

/**
 * The claims and releases of one worker, correct through an outage of the job store: a job whose lease expires because the store could
 * not be reached has not crashed its worker.
 */
interface OutageRecovery {
  /** Claims a job. When the outcome of the claim is unknown, `settle` undoes it. */
  claim(init: ClaimInit): Promise<Lease | undefined>;
  /** Releases a job now or, if the store fails, with the next `settle`. @throws the error of the store. */
  release(lease: Lease, init?: ReleaseInit): Promise<void>;
  /** Remembers a job whose lease could not be renewed in time, for `settle` to release. */
  releaseLater(lease: Lease): void;
  /** Reports that another call of the store failed. */
  onFailure(): void;
  /** Retries operations that failed before. @throws the error of the store: call it again later. */
  settle(): Promise<void>;
}

/**
 * @param graceMs How long after the store is available again an expired lease may still be due to the outage. All workers are affected: leases
 * that could not be renewed expire up to one lease later, and are claimed up to one polling interval after that.
 */
export function createOutageRecovery(jobs: JobStore, graceMs: number): OutageRecovery {
  const unknownClaims = new Set<string>();
  const unreleased = new Map<Lease, ReleaseInit>();
  let isDown = false;
  let recoveredAt = -Infinity;

  const isOutagePast = (): boolean => !isDown && performance.now() - recoveredAt > graceMs;
  const onFailure = (): void => void (isDown = true);
  const onSuccess = (): void => {
    if (isDown) recoveredAt = performance.now();
    isDown = false;
  };

  async function releaseNow(lease: Lease, init: ReleaseInit): Promise<void> {
    await jobs.release(lease, init);
    unreleased.delete(lease);
    onSuccess();
  }

  return {
    onFailure,
    async claim(init) {
      const token = randomUUID();
      try {
        const lease = await jobs.claim({ ...init, token, countCrash: isOutagePast() });
        onSuccess();
        return lease;
      } catch (error) {
        onFailure();
        // The claim may have been committed although its response was lost.
        unknownClaims.add(token);
        throw error;
      }
    },
    async release(lease, init) {
      unreleased.set(lease, init);
      try {
        await releaseNow(lease, init);
      } catch (error) {
        onFailure();
        throw error;
      }
    },
    releaseLater: (lease) => void unreleased.set(lease, undefined),
    async settle() {
      try {
        for (const token of unknownClaims) {
          await jobs.cancelClaim(token);
          unknownClaims.delete(token);
          onSuccess();
        }
        for (const [lease, init] of unreleased) await releaseNow(lease, init);
      } catch (error) {
        onFailure();
        throw error;
      }
    },
  };
}

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

interface SuspectsInit {
  readonly jobs: JobStore;
  readonly lease: Lease;
  /**
   * The units that may have been running when the worker crashed, if no suspect was. Called only after a crash. `window` is the number that
   * `setWindow` stored.
   */
  readonly runningAtCrash: (isSuspect: (unit: number) => boolean, window: number | undefined) => readonly number[];
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
      for (const unit of runningAtCrash((one) => crashes.has(one), stored.window))
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
