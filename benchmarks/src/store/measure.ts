import { setTimeout as sleep } from 'node:timers/promises';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { rotated } from '../statistics.ts';
import { filterNames } from './filters.ts';
import type { FilterName } from './filters.ts';
import type { Place, StoreKind } from './kinds.ts';
import type { Filled, Latency, StoreQuestion } from './worker.ts';

export interface StoreRounds {
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Reads per round, or fewer if they take more than three seconds. */
  readonly calls: number;
  /** Appends of one writer per round; sixteen writers make eight times as many. */
  readonly appends: number;
  readonly opens: number;
  /** Sizes that take longer to fill are left out. */
  readonly fillMs: number;
  /** Pause between the last fill and the first page. */
  readonly settleMs: number;
}

export const writerCounts = [1, 16] as const;
export type Subject = FilterName | 'get' | `append ${(typeof writerCounts)[number]}`;

/** Measurements of the stores at one size, by round. */
export interface SizeMeasured {
  readonly size: number;
  /** Completions per second while it was filled. */
  readonly fillRate: number;
  /** Milliseconds, each in a separate process. */
  readonly opens: readonly number[];
  readonly samples: Map<Subject, Latency[]>;
}

export interface KindMeasured {
  readonly kind: StoreKind;
  readonly sizes: readonly SizeMeasured[];
  /** Sizes that could not be filled in time. */
  readonly leftOut: readonly number[];
}

const worker = new URL('./worker.ts', import.meta.url);

/** Opens stores of all sizes, so that each round measures all of them one after the other. */
export async function measureKind(
  kind: StoreKind,
  place: string,
  { sizes, rounds, calls, appends, opens, fillMs, settleMs }: StoreRounds,
  say: (text: string) => void,
): Promise<KindMeasured> {
  const measured: (SizeMeasured & { readonly child: Child })[] = [];
  const leftOut: number[] = [];
  try {
    for (const size of sizes) {
      const where: Place = { kind, place, name: `of_${size}` };
      const filled = await fill(where, size, fillMs);
      say(`${kind}: ${filled.count} completions in ${Math.round(filled.ms)} ms`);
      if (filled.count < size) {
        leftOut.push(size);
        continue;
      }
      const times: number[] = [];
      for (let left = opens; left > 1; left--) times.push(await openOnce(where));
      const child = spawnChild(worker, []);
      measured.push({ size, fillRate: (filled.count * 1000) / filled.ms, opens: times, samples: new Map(), child });
      times.push(await ask<number>(child, { do: 'open', where }));
      say(`${kind} of ${size}: open in ${times.map((ms) => ms.toFixed(1)).join(', ')} ms`);
    }

    if (settleMs > 0) say(`${kind}: waiting for ${settleMs} ms`);
    await sleep(settleMs);
    const reads: Subject[] = [...filterNames, 'get'];
    const writes: Subject[] = writerCounts.map((writers) => `append ${writers}` as const);
    // Appends come after the last page, so that the size is exact. The first round compiles the code.
    for (const subjects of [reads, writes]) {
      for (let round = -1; round < rounds; round++) {
        for (const subject of subjects) {
          for (const { child, samples, size } of rotated(measured, round + 1)) {
            const latency = await ask<Latency>(child, questionOf(subject, size, { calls, appends }));
            if (round >= 0) samples.set(subject, [...(samples.get(subject) ?? []), latency]);
            say(
              `round ${round + 1}: ${kind} of ${size}, ${subject}: ${latency.p50.toFixed(3)} / ${latency.p99.toFixed(3)} ms`,
            );
          }
        }
      }
    }
    return { kind, sizes: measured, leftOut };
  } finally {
    await Promise.all(measured.map(({ child }) => child.stop()));
  }
}

function questionOf(
  subject: Subject,
  size: number,
  { calls, appends }: Pick<StoreRounds, 'calls' | 'appends'>,
): StoreQuestion {
  switch (subject) {
    case 'get':
      return { do: 'get', size, calls };
    case 'append 1':
      return { do: 'append', writers: 1, calls: appends };
    case 'append 16':
      return { do: 'append', writers: 16, calls: 8 * appends };
    default:
      return { do: 'page', filter: subject, size, calls };
  }
}

async function fill(where: Place, until: number, ms: number): Promise<Filled> {
  return withStores(where, (child) => ask<Filled>(child, { do: 'fill', until, writers: 64, ms }));
}

async function openOnce(where: Place): Promise<number> {
  return withStores(where, async (_, opened) => opened);
}

async function withStores<Result>(
  where: Place,
  use: (child: Child, opened: number) => Promise<Result>,
): Promise<Result> {
  const child = spawnChild(worker, []);
  try {
    const result = await use(child, await ask<number>(child, { do: 'open', where }));
    await ask<number>(child, { do: 'close' });
    return result;
  } finally {
    await child.stop();
  }
}

function ask<Answer>(child: Child, question: StoreQuestion): Promise<Answer> {
  return child.ask<Answer>(question);
}
