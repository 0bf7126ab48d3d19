import { spawnChild } from '../child.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { accumulators } from './accumulators.ts';
import type { AccumulatorName } from './accumulators.ts';
import type { AccumulateQuestion } from './worker.ts';

const names = Object.keys(accumulators) as AccumulatorName[];
const sizes = [2000, 8000, 16_000] as const;

/** Accumulates a reply from its chunks, each accumulator in a separate process. */
export async function accumulateSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const children = new Map(names.map((name) => [name, spawnChild(new URL('./worker.ts', import.meta.url), [name])]));
  const times = new Map<string, number[]>();
  const timesOf = (name: AccumulatorName, chunks: number): number[] => times.get(`${name} ${chunks}`) ?? [];
  try {
    // An uncounted round compiles the code.
    for (let round = -1; round < (quick ? 1 : 5); round++) {
      for (const chunks of sizes) {
        for (const accumulator of rotated(names, round + 1)) {
          const question: AccumulateQuestion = { accumulator, chunks, times: quick ? 1 : 3 };
          const took = (await children.get(accumulator)?.ask<number>(question)) ?? NaN;
          if (round >= 0) times.set(`${accumulator} ${chunks}`, [...timesOf(accumulator, chunks), took]);
          say(`round ${round + 1}: ${accumulator} ${chunks}: ${took.toFixed(1)} ms`);
        }
      }
    }
  } finally {
    await Promise.all([...children.values()].map((child) => child.stop()));
  }
  const speedup = (what: string, than: AccumulatorName, ours: AccumulatorName): Target => ({
    what: `accumulated ${what} per second ÷ \`openai\`, 16,000 chunks`,
    wanted: { atLeast: 1 },
    unit: '×',
    reached: medianRatio(timesOf(than, 16_000), timesOf(ours, 16_000)),
  });
  return [
    table(
      ['median ms', ...sizes.map((chunks) => `${chunks} chunks`)],
      names.map((name) => [accumulators[name].title, ...sizes.map((chunks) => short(median(timesOf(name, chunks))))]),
    ),
    targetTable([
      speedup('chunks', 'openai', 'ours'),
      speedup('chunks of JSON', 'openaiJson', 'oursJson'),
      {
        what: 'time of 16,000 chunks ÷ time of 8,000',
        wanted: { below: 3 },
        unit: '×',
        reached: medianRatio(timesOf('ours', 16_000), timesOf('ours', 8000)),
      },
    ]),
  ].join('\n\n');
}
