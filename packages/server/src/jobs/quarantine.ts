import type { Release, Semaphore } from '@modelwire/adapter-kit';
import { sleep } from '../timers.ts';
import type { Suspects } from './suspects.ts';
import type { JobTimes } from './times.ts';

export interface QuarantineInit {
  /** One permit, for work that may have crashed a worker, whatever its kind. */
  readonly quarantine: Semaphore;
  readonly suspects: Suspects;
  readonly times: JobTimes;
  readonly project: string;
}

export interface QuarantinedUnit {
  readonly unit: number;
  /** Crashes during which the suspect ran alone. */
  readonly crashes: number;
  readonly signal: AbortSignal;
  /** Called with true before it waits for the permit, and with false afterwards: other work may run in its place. */
  readonly setWaiting: (isWaiting: boolean) => void;
  /** Acquires what else the suspect needs, before it is recorded as running. Returns the function that releases it. */
  readonly acquire: () => Release | Promise<Release>;
}

/**
 * Milliseconds that a server runs before it starts a suspect again that crashed it alone, in units of the delay of a retry, per crash. A server
 * that is killed from outside again and again does not live that long, so that its work is not failed for it.
 */
const retriesPerCrash = 5;

/**
 * Waits until no other suspect of this worker runs, and records that this one starts. Resolves with the function that records its end and lets
 * the next one start; call it in any case.
 */
export async function enterQuarantine(init: QuarantineInit, suspect: QuarantinedUnit): Promise<() => Promise<void>> {
  const { suspects } = init;
  const releases: Release[] = [await acquirePermit(init, suspect)];
  const leave = async (): Promise<void> => {
    await suspects.end();
    for (const release of releases.toReversed()) release();
  };
  try {
    releases.push(await suspect.acquire());
    await suspects.begin(suspect.unit);
  } catch (error) {
    await leave();
    throw error;
  }
  return leave;
}

async function acquirePermit(
  { quarantine, project, times }: QuarantineInit,
  { crashes, signal, setWaiting }: QuarantinedUnit,
): Promise<Release> {
  setWaiting(true);
  try {
    if (crashes > 0) await sleep(retriesPerCrash * crashes * times.retryMs, signal);
    return await quarantine.acquire(signal, project);
  } finally {
    setWaiting(false);
  }
}
