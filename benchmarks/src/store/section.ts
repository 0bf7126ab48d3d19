import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { measureKind } from './measure.ts';
import type { KindMeasured, StoreRounds } from './measure.ts';
import { measureOverHttp } from './over-http.ts';
import { storeReport } from './report.ts';

/** The stores, called directly and through the app. */
export async function storeSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const rounds: StoreRounds = quick
    ? { sizes: [1e3, 1e4], rounds: 1, calls: 100, appends: 25, opens: 2, fillMs: 60_000, settleMs: 0 }
    : { sizes: [1e3, 1e5, 1e6], rounds: 5, calls: 300, appends: 100, opens: 5, fillMs: 240_000, settleMs: 0 };
  const overHttp = await measureOverHttp(
    quick ? { rounds: 1, ms: 300, compileMs: 500 } : { rounds: 5, ms: 1500, compileMs: 4000 },
    say,
  );
  return storeReport([await measureSqlite(rounds, say), await measurePostgres(rounds, say)], overHttp);
}

async function measureSqlite(rounds: StoreRounds, say: (text: string) => void): Promise<KindMeasured> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-bench-'));
  try {
    return await measureKind('sqlite', folder, rounds, say);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measurePostgres(rounds: StoreRounds, say: (text: string) => void): Promise<KindMeasured> {
  const server = await startPostgres();
  // Autovacuum, which collects the statistics of the planner, runs once a minute.
  const settleMs = rounds.rounds > 1 ? 75_000 : 0;
  try {
    return await measureKind('postgres', server.url, { ...rounds, settleMs }, say);
  } finally {
    await server.discard();
  }
}
