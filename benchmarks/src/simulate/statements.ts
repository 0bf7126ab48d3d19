import { readdirSync, readFileSync } from 'node:fs';
import type { Lease, Stores } from '@modelwire/ports';
import { openPostgresStores } from '@modelwire/store-postgres';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { factories } from '@modelwire/testing/factories';
import pg from 'pg';
import { usageOf } from '../process-usage.ts';
import { short, table } from '../table.ts';

/**
 * What the statements of jobs cost PostgreSQL, with a million batches that wait, in a thousand projects, for several numbers of servers that call
 * at once: `node src/simulate/statements.ts`.
 */
const batchCount = 1_000_000;
const projectCount = 1000;
const runMs = 3000;
const leaseMs = 3_600_000;
const concurrencies = [1, 16, 100];

const { id: _, ...batch } = factories().batch({ status: 'in_progress' });
/** A batch of a hundred lines commits its results in a few groups. */
const results = Array.from({ length: 20 }, (__, line) => ({ line, failed: false, text: 'x'.repeat(800) }));

const postgres = await startPostgres();
const client = new pg.Client(postgres.url);
await client.connect();
const stores = await Promise.all(
  Array.from({ length: 10 }, () => openPostgresStores({ url: postgres.url, schema: 'bench' })),
);

async function fill(count: number): Promise<void> {
  await client.query('truncate bench.jobs, bench.batches');
  await client.query(
    `insert into bench.jobs (id, kind, project_id, due_at_ms, created_at_ms)
     select 'b' || n, 'batch', 'p' || n % ${projectCount}, 1000 + n, n from generate_series(1, ${count}) n`,
  );
  await client.query(
    `insert into bench.batches (id, project_id, created_at, status, completed_lines, failed_lines, job_input, body)
     select 'b' || n, 'p' || n % ${projectCount}, n, 'validating', 0, 0, '{}', $1 from generate_series(1, ${count}) n`,
    [JSON.stringify(batch)],
  );
  await client.query('vacuum analyze');
}

/** Milliseconds of CPU of all processes of PostgreSQL. */
async function cpuMs(): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parentOf = (pid: string): string =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] ?? '';
  const postmaster = parentOf(String(rows[0]?.pid));
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .reduce((sum, pid) => {
      try {
        return parentOf(pid) === postmaster ? sum + usageOf(Number(pid)).cpuMs : sum;
      } catch {
        return sum;
      }
    }, 0);
}

interface Cost {
  readonly rate: number;
  readonly cpuMs: number;
}

/** Calls of so many callers at once. */
async function measure(callers: number, call: (of: Stores, caller: number) => Promise<unknown>): Promise<Cost> {
  const before = await cpuMs();
  const startedAt = performance.now();
  let calls = 0;
  const caller = async (index: number): Promise<void> => {
    const of = stores[index % stores.length];
    while (of && performance.now() - startedAt < runMs) {
      await call(of, index);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: calls / seconds, cpuMs: ((await cpuMs()) - before) / calls };
}

const claimed = new Map<number, Lease>();
async function claim(of: Stores, caller: number, except: readonly string[] = []): Promise<void> {
  const lease = await of.jobs.claim({ kinds: ['batch'], leaseMs, except });
  if (lease) claimed.set(caller, lease);
}
function leaseOf(caller: number): Lease {
  const lease = claimed.get(caller);
  if (!lease) throw new Error('this caller has claimed no job');
  return lease;
}
const batchesOf = (of: Stores, { project }: Lease) => of.project(project).batches;
const busy = Array.from({ length: 8 }, (_, index) => `p${index + 1}`);

const calls: readonly (readonly [name: string, call: (of: Stores, caller: number) => Promise<unknown>])[] = [
  ['claim of the job that has been due longest', (of, caller) => claim(of, caller)],
  ['claim past the projects that have enough', (of, caller) => claim(of, caller, busy)],
  ['renewal of a lease', (of, caller) => of.jobs.renew(leaseOf(caller), leaseMs)],
  ['status of a batch', (of, caller) => batchesOf(of, leaseOf(caller)).get(leaseOf(caller).id)],
  [
    'results of 20 lines',
    (of, caller) => batchesOf(of, leaseOf(caller)).addResults(leaseOf(caller).id, leaseOf(caller), results),
  ],
];

try {
  for (const count of [1000, 100_000, batchCount]) {
    await fill(count);
    const claimAndRelease = async ({ jobs }: Stores): Promise<void> => {
      const lease = await jobs.claim({ kinds: ['batch'], leaseMs });
      if (!lease || !(await jobs.release(lease, { skipAttempt: true }))) throw new Error('no batch was claimed');
    };
    // The first calls fill caches.
    await measure(1, claimAndRelease);
    const { rate, cpuMs: cpu } = await measure(1, claimAndRelease);
    console.log(`${count} batches wait: claim and release ${short(1000 / rate)} ms, ${short(cpu)} ms of CPU`);
  }
  const rows: string[][] = [];
  for (const [name, call] of calls) {
    const costs: Cost[] = [];
    for (const callers of concurrencies) {
      costs.push(await measure(callers, call));
    }
    rows.push([name, ...costs.flatMap(({ rate, cpuMs: cpu }) => [short(rate), short(cpu)])]);
    console.log(rows.at(-1)?.join(' | '));
  }
  const head = concurrencies.flatMap((callers) => [`per second, ${callers} at once`, 'ms of CPU']);
  console.log(table(['statement', ...head], rows));
} finally {
  await client.end();
  await Promise.all(stores.map((of) => of.close()));
  await postgres.discard();
}
