import { randomUUID } from 'node:crypto';
import type { JobStore, Lease } from '@modelwire/ports';

type ClaimInit = Omit<Parameters<JobStore['claim']>[0], 'token' | 'countCrash'>;
type ReleaseInit = Parameters<JobStore['release']>[1];

/**
 * The claims and releases of one worker, correct through an outage of the job store: a job whose lease expires because the store could
 * not be reached has not crashed its worker.
 */
export interface OutageRecovery {
  /** Claims a job. When the outcome of the claim is unknown, `settle` undoes it. */
  claim(init: ClaimInit): Promise<Lease | undefined>;
  /** Releases a job, now or, when the store fails, with the next `settle`. @throws what the store failed with. */
  release(lease: Lease, init?: ReleaseInit): Promise<void>;
  /** Remembers a job whose lease could not be renewed in time, for `settle` to release. */
  releaseLater(lease: Lease): void;
  /** Tells that a call of the store failed elsewhere. */
  onFailure(): void;
  /** Carries out what failed before. @throws what the store fails with: call it again later. */
  settle(): Promise<void>;
}

export function createOutageRecovery(jobs: JobStore, leaseMs: number): OutageRecovery {
  const unknownClaims = new Set<string>();
  const unreleased = new Map<Lease, ReleaseInit>();
  let failedAt = -Infinity;

  /**
   * Every worker of the store suffers its outage, and leases that expired meanwhile say nothing about their holders. All that could not
   * be renewed have expired one lease after the store answers again.
   */
  const isOutagePast = (): boolean => performance.now() - failedAt > leaseMs;
  const onFailure = (): void => void (failedAt = performance.now());

  return {
    onFailure,
    async claim(init) {
      const token = randomUUID();
      try {
        return await jobs.claim({ ...init, token, countCrash: isOutagePast() });
      } catch (error) {
        onFailure();
        // It may have been committed, with its answer lost.
        unknownClaims.add(token);
        throw error;
      }
    },
    async release(lease, init) {
      unreleased.set(lease, init);
      try {
        await jobs.release(lease, init);
        unreleased.delete(lease);
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
        }
        for (const [lease, init] of unreleased) {
          await jobs.release(lease, init);
          unreleased.delete(lease);
        }
      } catch (error) {
        onFailure();
        throw error;
      }
    },
  };
}
