import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { spawnChild } from '../child.ts';
import { kindTitles } from '../store/kinds.ts';
import type { StoreKind } from '../store/kinds.ts';
import { short, table } from '../table.ts';
import type { GrowthLatency, GrowthQuestion, Subject } from './worker.ts';

const subjects: readonly (readonly [Subject, string])[] = [
  ['page', 'page of 20 completions, p50 / p99, ms'],
  ['append', 'append a completion, p50 / p99, ms'],
  ['batchPage', 'page of 20 batches, p50 / p99, ms'],
  ['createBatch', 'create a batch, p50 / p99, ms'],
  ['claim', 'claim and release a batch, p50 / p99, ms'],
];

interface Step {
  readonly completions: number;
  readonly batches: number;
  readonly latencies: ReadonlyMap<Subject, GrowthLatency>;
  /** Bytes of the process with the stores. */
  readonly rss: number;
}

const steps = [
  { completions: 1e3, batches: 1e3 },
  { completions: 1e5, batches: 1e4 },
  { completions: 1e6, batches: 1e5 },
  { completions: 1e7, batches: 1e5 },
];

/** One store of each kind, filled in steps. Each step measures pages, appends, claims and memory. */
export async function growthSection(
  quick: boolean,
  say: (text: string) => void,
  { largest = 1e6 }: { readonly largest?: number | undefined },
): Promise<string> {
  const wanted = quick
    ? [
        { completions: 1e3, batches: 1e3 },
        { completions: 1e4, batches: 2e3 },
      ]
    : steps.filter(({ completions }) => completions <= largest);
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-bench-'));
  const postgres = await startPostgres();
  try {
    const sqlite = await grow('sqlite', folder, wanted, say);
    // At 10⁷ completions each store takes 20 GB or more.
    await rm(folder, { recursive: true });
    const measured = [
      ['sqlite', sqlite],
      ['postgres', await grow('postgres', postgres.url, wanted, say)],
    ] as const;
    return measured.flatMap(([kind, reached]) => [`### ${kindTitles[kind]}, by size`, tableOf(reached)]).join('\n\n');
  } finally {
    await postgres.discard();
    await rm(folder, { recursive: true, force: true });
  }
}

async function grow(
  kind: StoreKind,
  place: string,
  wanted: readonly { readonly completions: number; readonly batches: number }[],
  say: (text: string) => void,
): Promise<Step[]> {
  const child = spawnChild(new URL('./worker.ts', import.meta.url), []);
  const ask = <Answer>(question: GrowthQuestion): Promise<Answer> => child.ask<Answer>(question);
  const reached: Step[] = [];
  let before = { completions: 0, batches: 0 };
  try {
    await ask({ do: 'open', where: { kind, place, name: 'growth' } });
    for (const step of wanted) {
      for (const what of ['completions', 'batches'] as const) {
        const ms = await ask<number>({ do: 'fill', what, from: before[what], to: step[what] });
        say(`${kind}: ${step[what]} ${what}, after ${Math.round(ms)} ms`);
      }
      before = step;
      const latencies = new Map<Subject, GrowthLatency>();
      for (const [subject] of subjects) {
        const size = subject === 'page' || subject === 'append' ? step.completions : step.batches;
        // The first calls compile code and fill the page cache.
        await ask({ do: 'measure', subject, size, calls: 50 });
        latencies.set(subject, await ask<GrowthLatency>({ do: 'measure', subject, size, calls: 300 }));
      }
      reached.push({ ...step, latencies, rss: await ask<number>({ do: 'memory' }) });
    }
    return reached;
  } finally {
    await child.stop();
  }
}

function tableOf(reached: readonly Step[]): string {
  const titles = reached.map(
    ({ completions, batches }) => `${powerOf(completions)} completions, ${powerOf(batches)} batches`,
  );
  const of = (step: Step, subject: Subject): string => {
    const { p50, p99 } = step.latencies.get(subject) ?? { p50: NaN, p99: NaN };
    return `${short(p50)} / ${short(p99)}`;
  };
  return table(
    ['', ...titles],
    [
      ...subjects.map(([subject, title]) => [title, ...reached.map((step) => of(step, subject))]),
      ['memory of the process, MB', ...reached.map(({ rss }) => short(rss / 1e6))],
    ],
  );
}

function powerOf(size: number): string {
  const power = Math.log10(size);
  return Number.isInteger(power) ? `10${'⁰¹²³⁴⁵⁶⁷'.charAt(power)}` : String(size);
}
