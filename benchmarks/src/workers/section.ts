import { startPostgres } from '@modelwire/store-postgres/testing';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { LoadAnswer, LoadQuestion } from '../http/load.ts';
import { apiKey, model, reply, requestBody } from '../http/payload.ts';
import { startProgram } from '../program.ts';
import type { Program } from '../program.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { storeKinds } from '../store/kinds.ts';
import type { StoreKind } from '../store/kinds.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { threadTimes } from './cpu-time.ts';

/** Connections of each of the two load generators. */
const connections = 32;
const cores = 2;
const requests = [
  { title: 'non-streamed', body: requestBody('create') },
  { title: 'streamed, 100 chunks', body: requestBody('stream') },
  { title: 'stored', body: JSON.stringify({ ...(JSON.parse(requestBody('create')) as object), store: true }) },
] as const;

interface Sample {
  /** Microseconds of CPU time for each request, of all threads and processes of the server. */
  readonly cpu: number;
  /** The same for the busiest thread. */
  readonly busiest: number;
}

/** Requests per second of cores that run nothing else, where a thread uses at most one core. */
const throughput = ({ cpu, busiest }: Sample): number => 1e6 * Math.min(cores / cpu, 1 / busiest);

interface Length {
  readonly rounds: number;
  readonly ms: number;
  readonly compileMs: number;
}

const setups = ['one', 'two', 'apart'] as const;
type Setup = (typeof setups)[number];

/** One process, two workers, and two independent servers, with both stores. */
export async function workersSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length = quick ? { rounds: 1, ms: 500, compileMs: 500 } : { rounds: 7, ms: 1000, compileMs: 3000 };
  const loads = [1, 2].map(() => spawnChild(new URL('../http/load.ts', import.meta.url), []));
  const rows: string[][] = [];
  const targets: Target[] = [];
  try {
    for (const kind of storeKinds) {
      for (const { title, samples } of await measureStore(kind, loads, length)) {
        const ratio = (setup: Setup): number =>
          medianRatio(samples[setup].map(throughput), samples.one.map(throughput));
        rows.push([
          `${storeNames[kind]}, ${title}`,
          ...describe(samples.one),
          ...describe(samples.two),
          short(ratio('two')),
          short(ratio('apart')),
        ]);
        targets.push({
          what: `two workers ÷ one process, ${storeNames[kind]}, ${title}`,
          wanted: { atLeast: 1.6 },
          unit: '×',
          reached: ratio('two'),
        });
        say(`${kind}, ${title}: ${short(ratio('two'))}, apart ${short(ratio('apart'))}`);
      }
    }
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
  const head = [
    '',
    'one process: µs',
    'busiest thread',
    'requests/s',
    'two workers: µs',
    'busiest thread',
    'requests/s',
    'ratio',
    'ratio, two servers',
  ];
  return [table(head, rows), targetTable(targets)].join('\n\n');
}

const storeNames: Readonly<Record<StoreKind, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

function describe(samples: readonly Sample[]): string[] {
  return [({ cpu }: Sample) => cpu, ({ busiest }: Sample) => busiest, throughput].map((of) =>
    short(median(samples.map(of))),
  );
}

interface Measured {
  readonly title: string;
  readonly samples: Readonly<Record<Setup, Sample[]>>;
}

async function measureStore(
  kind: StoreKind,
  loads: readonly Child[],
  { rounds, ms, compileMs }: Length,
): Promise<readonly Measured[]> {
  await using cleanups = new AsyncDisposableStack();
  const postgres = kind === 'postgres' ? await startPostgres() : undefined;
  if (postgres) cleanups.defer(() => postgres.discard());
  const start = async (workers: number): Promise<Program> => {
    const database = await postgres?.createDatabase();
    const config = { database, workers, simulator: { models: [{ id: model, reply, chunks: 100 }] } };
    const program = await startProgram({ name: `workers-${workers}`, apiKey, config });
    cleanups.defer(() => program.stop());
    return program;
  };
  const programs = { one: [await start(1)], two: [await start(2)], apart: [await start(1), await start(1)] };
  const measured: Measured[] = requests.map(({ title }) => ({ title, samples: { one: [], two: [], apart: [] } }));
  for (const { body } of requests) {
    for (const setup of setups) await sample(loads, programs[setup], body, compileMs);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, { body }] of requests.entries()) {
      for (const setup of rotated(setups, round)) {
        measured[index]?.samples[setup].push(await sample(loads, programs[setup], body, ms));
      }
    }
  }
  return measured;
}

/** Each load generator sends to one of the programs. */
async function sample(
  loads: readonly Child[],
  programs: readonly Program[],
  body: string,
  ms: number,
): Promise<Sample> {
  const before = timesOf(programs);
  const headers = { authorization: `Bearer ${apiKey}` };
  const answers = await Promise.all(
    loads.map((load, index) => {
      const url = `${programs[index % programs.length]?.url ?? ''}/v1/chat/completions`;
      return load.ask<LoadAnswer>({ url, headers, body, connections, warmUpMs: 0, ms } satisfies LoadQuestion);
    }),
  );
  const answered = answers.reduce((sum, answer) => sum + answer.answered, 0);
  const failed = answers.reduce((sum, answer) => sum + answer.failed, 0);
  if (failed > 0) throw new Error(`${failed} of ${answered} requests failed`);
  const times = [...timesOf(programs)].map(([thread, time]) => (time - (before.get(thread) ?? 0)) / answered);
  return { cpu: times.reduce((sum, time) => sum + time, 0), busiest: Math.max(...times) };
}

function timesOf(programs: readonly Program[]): ReadonlyMap<string, number> {
  return new Map(programs.flatMap(({ child }) => [...threadTimes(child.pid ?? 0)]));
}
