import { randomUUID } from 'node:crypto';
import type { JobStore, Lease } from '@modelwire/ports';

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
