import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { spawnChild } from '../child.ts';
import { short, table } from '../table.ts';
import type { StoreKind } from './kinds.ts';
import type { Latency, StoreQuestion, Subject } from './worker.ts';

const subjects: readonly (readonly [Subject, string])[] = [
  ['page', 'page of 20 completions, p50 / p99, ms'],
  ['modelPage', 'page of 20 completions by model, p50 / p99, ms'],
  ['pairPage', 'page of 20 completions by a metadata pair of 1 in 50, p50 / p99, ms'],
  ['retrieve', 'retrieve a completion by ID, p50 / p99, ms'],
  ['append', 'append a completion, p50 / p99, ms'],
  ['batchPage', 'page of 20 batches, p50 / p99, ms'],
  ['createBatch', 'create a batch, p50 / p99, ms'],
  ['claim', 'claim and release a batch, p50 / p99, ms'],
];

interface Size {
  readonly completions: number;
  readonly batches: number;
}

interface Step extends Size {
  readonly latencies: readonly Latency[];
  /** Bytes of the process with the stores. */
  readonly rss: number;
}

const steps: readonly Size[] = [
  { completions: 1e3, batches: 1e3 },
  { completions: 1e5, batches: 1e4 },
  { completions: 1e6, batches: 1e5 },
];
const quickSteps: readonly Size[] = [
  { completions: 1e3, batches: 1e3 },
  { completions: 1e4, batches: 2e3 },
];

/** One store of each kind, filled in steps. Each step measures pages, lookups, appends, claims and memory. */
export async function storeSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-bench-'));
  const postgres = await startPostgres();
  const sizes = quick ? quickSteps : steps;
  try {
    return [
      '### `@modelwire/store-sqlite`',
      tableOf(await grow('sqlite', folder, sizes, say)),
      '### `@modelwire/store-postgres`',
      tableOf(await grow('postgres', postgres.url, sizes, say)),
    ].join('\n\n');
  } finally {
    await postgres.discard();
    await rm(folder, { recursive: true, force: true });
  }
}

async function grow(
  kind: StoreKind,
  place: string,
  sizes: readonly Size[],
  say: (text: string) => void,
): Promise<Step[]> {
  const child = spawnChild(new URL('./worker.ts', import.meta.url), []);
  const ask = <Answer>(question: StoreQuestion): Promise<Answer> => child.ask<Answer>(question);
  const reached: Step[] = [];
  let before: Size = { completions: 0, batches: 0 };
  try {
    await ask({ do: 'open', kind, place });
    for (const size of sizes) {
      for (const what of ['completions', 'batches'] as const) {
        const ms = await ask<number>({ do: 'fill', what, from: before[what], to: size[what] });
        say(`${kind}: ${size[what]} ${what}, after ${Math.round(ms)} ms`);
      }
      before = size;
      const latencies: Latency[] = [];
      for (const [subject] of subjects) {
        // The first calls compile code and fill the page cache.
        await ask({ do: 'measure', subject, ...size, calls: 50 });
        latencies.push(await ask<Latency>({ do: 'measure', subject, ...size, calls: 300 }));
      }
      reached.push({ ...size, latencies, rss: await ask<number>({ do: 'memory' }) });
    }
    return reached;
  } finally {
    await child.stop();
  }
}

function tableOf(reached: readonly Step[]): string {
  const numeral = new Intl.NumberFormat('en');
  const titles = reached.map(
    ({ completions, batches }) => `${numeral.format(completions)} completions, ${numeral.format(batches)} batches`,
  );
  const row = (index: number) =>
    reached.map(({ latencies }) => `${short(latencies[index]?.p50 ?? NaN)} / ${short(latencies[index]?.p99 ?? NaN)}`);
  return table(
    ['', ...titles],
    [
      ...subjects.map(([, title], index) => [title, ...row(index)]),
      ['memory of the process, MB', ...reached.map(({ rss }) => short(rss / 1e6))],
    ],
  );
}
