import { startPostgres } from '@modelwire/store-postgres/testing';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { LoadAnswer, LoadQuestion } from '../http/load.ts';
import { apiKey, model, reply, requestBody } from '../http/payload.ts';
import { startProgram } from '../program.ts';
import type { Program } from '../program.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { kindTitles, storeKinds } from '../store/kinds.ts';
import type { StoreKind } from '../store/kinds.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import { threadTimes } from './processor-time.ts';

const connections = 16;
const cores = 2;
const requests = [
  { title: 'whole', body: requestBody('create') },
  { title: 'streamed, 100 chunks', body: requestBody('stream') },
  { title: 'stored', body: JSON.stringify({ ...(JSON.parse(requestBody('create')) as object), store: true }) },
] as const;

interface Sample {
  /** Microseconds of processor time for each request, of all threads and processes of the server. */
  readonly cpu: number;
  /** The same of the thread that used most. */
  readonly busiest: number;
}

/** Requests per second of this many cores that do nothing else: all work divides, but a thread has one core. */
const throughput = ({ cpu, busiest }: Sample): number => 1e6 * Math.min(cores / cpu, 1 / busiest);

interface Length {
  readonly rounds: number;
  readonly ms: number;
  readonly compileMs: number;
}

/** One process beside two workers, with both stores. */
export async function workersSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length = quick ? { rounds: 1, ms: 500, compileMs: 500 } : { rounds: 9, ms: 1000, compileMs: 4000 };
  const postgres = await startPostgres();
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  const rows: string[][] = [];
  const ratios: { readonly what: string; readonly ratio: number }[] = [];
  try {
    for (const kind of storeKinds) {
      const measured = await measureStore(load, kind === 'postgres' ? { database: postgres.url } : {}, length);
      for (const { title, one, two } of measured) {
        const ratio = medianRatio(two.map(throughput), one.map(throughput));
        rows.push([`${kindTitles[kind]}, ${title}`, ...[one, two].flatMap(describe), ratio.toFixed(2)]);
        ratios.push({ what: `two workers ÷ one process, ${nameOf(kind)}, ${title}`, ratio });
        say(`${kind}, ${title}: ${ratio.toFixed(2)}`);
      }
    }
  } finally {
    await load.stop();
    await postgres.stop();
  }
  return [
    table(
      [
        '',
        'one process: µs',
        'busiest thread',
        'requests/s',
        'two workers: µs',
        'busiest thread',
        'requests/s',
        'ratio',
      ],
      rows,
    ),
    targetTable(ratios.map(({ what, ratio }) => ({ what, wanted: { atLeast: 1.6 }, unit: '×', reached: ratio }))),
  ].join('\n\n');
}

const nameOf = (kind: StoreKind): string => (kind === 'sqlite' ? 'SQLite' : 'PostgreSQL');

function describe(samples: readonly Sample[]): string[] {
  return [
    short(median(samples.map(({ cpu }) => cpu))),
    short(median(samples.map(({ busiest }) => busiest))),
    short(median(samples.map(throughput))),
  ];
}

interface Measured {
  readonly title: string;
  readonly one: Sample[];
  readonly two: Sample[];
}

async function measureStore(
  load: Child,
  storage: { readonly database?: string },
  { rounds, ms, compileMs }: Length,
): Promise<readonly Measured[]> {
  const simulator = { models: [{ id: model, reply, chunks: 100 }] };
  const start = (workers: number): Promise<Program> =>
    startProgram({ name: `workers-${workers}`, apiKey, config: { ...storage, workers, simulator } });
  const one = await start(1);
  try {
    const two = await start(2);
    try {
      const measured: Measured[] = requests.map(({ title }) => ({ title, one: [], two: [] }));
      for (const { body } of requests) for (const program of [one, two]) await sample(load, program, body, compileMs);
      for (let round = 0; round < rounds; round++) {
        for (const [index, { body }] of requests.entries()) {
          for (const [name, program] of rotated([['one', one] as const, ['two', two] as const], round)) {
            measured[index]?.[name].push(await sample(load, program, body, ms));
          }
        }
      }
      return measured;
    } finally {
      await two.stop();
    }
  } finally {
    await one.stop();
  }
}

async function sample(load: Child, { child, url }: Program, body: string, ms: number): Promise<Sample> {
  const pid = child.pid ?? 0;
  const before = threadTimes(pid);
  const headers = { authorization: `Bearer ${apiKey}` };
  const question = { url: `${url}/v1/chat/completions`, headers, body, connections, warmUpMs: 0, ms };
  const { answered, failed } = await load.ask<LoadAnswer>(question satisfies LoadQuestion);
  if (failed > 0) throw new Error(`${failed} of ${answered} requests failed`);
  const times = [...threadTimes(pid)].map(([thread, time]) => (time - (before.get(thread) ?? 0)) / answered);
  return { cpu: times.reduce((sum, time) => sum + time, 0), busiest: Math.max(...times) };
}
