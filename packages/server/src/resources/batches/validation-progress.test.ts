import type { Lease } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { memoryWork } from '../../testing/memory-work.ts';
import type { MemoryWork } from '../../testing/memory-work.ts';
import { lines, patient, serve } from '../../testing/serve-batches.ts';

const count = 4000;

/** Lines of a chunk, for each of which progress is recorded. */
const chunkLines = 256;

/** Whether a server is killed, given the number of the first line of the chunk that it validates now; undefined before the first chunk. */
type IsKilledAt = (line: number | undefined) => boolean;

/** The storage of a server that is killed while it validates. After that it writes nothing, and its leases have expired. */
function killed(work: MemoryWork, isKilledAt: IsKilledAt) {
  let isKilled = false;
  const dies = <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) => {
    return (...args: Args): Promise<Value> => (isKilled ? Promise.reject(new Error('killed')) : call(...args));
  };
  function reach(line: number | undefined): void {
    if (!isKilledAt(line)) return;
    isKilled = true;
    work.jobs.expireLeases();
    throw new Error('killed');
  }
  const { jobs } = work.stores;
  const project = work.stores.project('p');
  const batches = { ...project.batches, replace: dies(project.batches.replace), end: dies(project.batches.end) };
  const stores = {
    ...work.stores,
    project: () => ({ ...project, batches }),
    jobs: {
      claim: dies(jobs.claim),
      cancelClaim: dies(jobs.cancelClaim),
      renew: dies(jobs.renew),
      backlog: dies(jobs.backlog),
      release: dies(jobs.release),
      note: dies(async (lease: Lease, notes: string) => {
        const isStored = await jobs.note(lease, notes);
        const { alone } = JSON.parse(notes) as { alone: number | null };
        if (alone !== null && alone < -1) reach((-2 - alone) * chunkLines + 1);
        return isStored;
      }),
    },
  };
  const blobs: MemoryWork['blobs'] = {
    ...work.blobs,
    async *read(key, range) {
      reach(undefined);
      yield* work.blobs.read(key, range);
    },
  };
  return { stores, blobs, isKilled: () => isKilled };
}

/** Validates a batch with servers that are killed one after another, then with one that is not killed. */
async function validateThroughKills(kills: readonly IsKilledAt[]) {
  const work = memoryWork();
  const input = work.input(lines(count));
  const options = { report: () => undefined, jobTimes: { pollMs: 10, retryMs: 1 } };
  let id: string | undefined;
  for (const kill of kills) {
    const { isKilled, ...storage } = killed(work, kill);
    const server = await serve({ work, ...storage, ...options });
    id ??= (await server.create(input)).id;
    await vi.waitFor(() => expect(isKilled()).toBe(true), patient);
  }
  const last = await serve({ work, ...options });
  return last.until(id ?? '', 'completed', 'failed');
}

const atStart: IsKilledAt = () => true;
const at =
  (line: number): IsKilledAt =>
  (reached) =>
    reached === line;

test('a batch whose server is killed eight times while it is validated, at other lines each time, is completed', async () => {
  const batch = await validateThroughKills([
    atStart,
    ...[9, 4, 12, 4, 0, 9, 2].map((chunk) => at(chunk * chunkLines + 1)),
  ]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: count, completed: count, failed: 0 } });
});

test('a crash that is not alone does not count: the first one makes validation a suspect', async () => {
  const batch = await validateThroughKills([atStart, at(257), at(257)]);
  expect(batch.status).toBe('completed');
});

test('a batch whose validation crashes the server three times alone at the same lines fails, and names the lines', async () => {
  const batch = await validateThroughKills([atStart, at(257), at(257), at(257)]);
  expect(batch).toMatchObject({
    status: 'failed',
    errors: {
      data: [
        {
          code: 'worker_crashed',
          message: 'Checking lines 257 to 512 of the input file crashed the server 3 times.',
          param: 'input_file_id',
        },
      ],
    },
  });
});

test('lines that were validated since they crashed the server are no longer suspected', async () => {
  const batch = await validateThroughKills([atStart, at(257), at(257), at(1025), at(257)]);
  expect(batch.status).toBe('completed');
});
