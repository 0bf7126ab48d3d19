import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import type { ServerProcess } from '../testing/process.ts';
import { useSharedStorage } from '../testing/shared-storage.ts';
import { clientOf } from '../testing/test-server.ts';

const pollOptions = { timeout: 120_000, interval: 50 };
const leaseMs = 1000;
const storage = useSharedStorage();

interface Replica extends ServerProcess {
  /** How often its upstream was called. */
  requestCount(): number;
}

async function startReplica(answer: Promise<unknown>): Promise<Replica> {
  const upstream = await countingUpstream(0);
  let requestCount = 0;
  upstream.onRequest = () => {
    requestCount++;
    return answer;
  };
  const server = await storage.startProgram({ upstream, config: { jobLeaseMs: leaseMs } });
  return { ...server, requestCount: () => requestCount };
}

test('a batch line that is interrupted by four outages of PostgreSQL is processed by another server each time', async () => {
  const release = Promise.withResolvers<undefined>();
  let [holder, other] = await Promise.all([startReplica(release.promise), startReplica(release.promise)]);
  const { id } = await createBatch(clientOf(holder.url), [inputLine('line-0', { model: 'counted' })]);
  await expect.poll(() => holder.requestCount() + other.requestCount(), pollOptions).toBe(1);
  if (other.requestCount() === 1) [holder, other] = [other, holder];
  for (let outage = 1; outage <= 4; outage++) {
    const requestCount = other.requestCount();
    await storage.postgres().stop();
    try {
      // A delayed holder does not release the job before the other claims it.
      holder.kill('SIGSTOP');
      await expect.poll(async () => (await fetch(`${other.url}/readyz`)).status, pollOptions).toBe(503);
      await sleep(2 * leaseMs);
    } finally {
      await storage.postgres().start();
    }
    await expect.poll(() => other.requestCount(), pollOptions).toBeGreaterThan(requestCount);
    holder.kill('SIGCONT');
    [holder, other] = [other, holder];
  }
  release.resolve(undefined);
  const { batches } = clientOf(holder.url);
  const ended = async () => (await batches.retrieve(id)).status;
  await expect.poll(ended, pollOptions).toBe('completed');
  expect((await batches.retrieve(id)).request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
}, 300_000);
