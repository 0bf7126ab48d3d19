import { readFileSync } from 'node:fs';
import { missingPgBouncer, startPgBouncer, startPostgres } from '@modelwire/store-postgres/testing';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { median, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Load, StoreQuestion, Subject } from './worker.ts';

const subjects: readonly (readonly [Subject, string])[] = [
  ['retrieve', 'retrieve a completion by ID'],
  ['page', 'page of 20 completions'],
  ['append', 'append a completion'],
  ['claim', 'claim and release a batch'],
];
const sizes = { completions: 10_000, batches: 2_000 };
const replicas = 2;
const callers = 16;
const poolSize = 20;
/** As the documentation says. */
const page = readFileSync(new URL('../../../docs/operations/scaling-out.md', import.meta.url), 'utf8');
const connectQuery = /connect_query='(.*)'/.exec(page)?.[1] ?? '';

interface Way {
  readonly name: string;
  readonly workers: readonly Child[];
}

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

/**
 * Two processes with a pool of ten connections each, connected to PostgreSQL, through PgBouncer in transaction mode as documented, and through one
 * without its `connect_query`.
 */
export async function pgbouncerSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const missing = missingPgBouncer();
  if (missing !== undefined) throw new Error(`${missing}: install PgBouncer 1.21 or newer`);
  const rounds = quick ? 2 : 9;
  const postgres = await startPostgres();
  const bouncer = await startPgBouncer(postgres.url, { poolSize, connectQuery });
  const bare = await startPgBouncer(postgres.url, { poolSize });
  const ways = await Promise.all([
    openWay('direct', postgres.url),
    openWay('PgBouncer', bouncer.url),
    openWay('without `connect_query`', bare.url),
  ]);
  try {
    const [direct] = ways;
    await ask(direct.workers[0], { do: 'fill', what: 'completions', from: 0, to: sizes.completions });
    await ask(direct.workers[0], { do: 'fill', what: 'batches', from: 0, to: sizes.batches });
    const rows: string[][] = [];
    for (const [subject, title] of subjects) {
      for (const way of ways) await measure(way, subject, 500);
      const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
      for (let round = 0; round < rounds; round++)
        for (const way of rotated(ways, round)) measured.get(way)?.push(await measure(way, subject, 1000));
      const figures = ways.map((way) => measured.get(way) ?? []);
      const medians = (of: keyof Measured) => figures.map((all) => short(median(all.map((one) => one[of]))));
      rows.push([title, ...medians('perSecond'), ...medians('p99')]);
      say(`${title}: measured`);
    }
    const columns = (unit: string) => ways.map(({ name }) => `${name}, ${unit}`);
    return table(['', ...columns('per second'), ...columns('p99, ms')], rows);
  } finally {
    await Promise.all(ways.flatMap(({ workers }) => workers.map((worker) => worker.stop())));
    await Promise.all([bouncer.stop(), bare.stop()]);
    await postgres.discard();
  }
}

async function openWay(name: string, place: string): Promise<Way> {
  const workers = Array.from({ length: replicas }, () => spawnChild(new URL('./worker.ts', import.meta.url), []));
  for (const worker of workers) await ask(worker, { do: 'open', kind: 'postgres', place });
  return { name, workers };
}

async function measure({ workers }: Way, subject: Subject, ms: number): Promise<Measured> {
  const question = { do: 'load', subject, callers, ms, ...sizes } as const;
  const loads = await Promise.all(workers.map((worker) => worker.ask<Load>(question)));
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  };
}

async function ask(worker: Child | undefined, question: StoreQuestion): Promise<void> {
  await worker?.ask(question);
}
