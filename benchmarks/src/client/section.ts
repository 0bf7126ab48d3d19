import { spawnChild } from '../child.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { readers } from './readers.ts';
import type { ReaderName } from './readers.ts';
import type { ClientQuestion } from './worker.ts';

const names = Object.keys(readers) as ReaderName[];
const sizes = [2000, 8000, 16_000];
const largest = 16_000;

/** Each client reads the same streams, in a process of its own. */
export async function clientSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const children = names.map((name) => ({ name, child: spawnChild(new URL('./worker.ts', import.meta.url), [name]) }));
  const times = new Map<string, number[]>();
  const timesOf = (name: ReaderName, chunks: number): number[] => times.get(`${name} ${chunks}`) ?? [];
  try {
    // An uncounted round compiles the code.
    for (let round = -1; round < (quick ? 1 : 5); round++) {
      for (const chunks of sizes) {
        for (const { name, child } of rotated(children, round + 1)) {
          const took = await child.ask<number>({ reader: name, chunks } satisfies ClientQuestion);
          if (round >= 0) times.set(`${name} ${chunks}`, [...timesOf(name, chunks), took]);
          say(`round ${round + 1}: ${name} ${chunks}: ${took.toFixed(1)} ms`);
        }
      }
    }
  } finally {
    await Promise.all(children.map(({ child }) => child.stop()));
  }
  const speedup = (what: string, ours: ReaderName, than: ReaderName): Target => ({
    what: `${what} ÷ \`openai\`, 16,000 chunks`,
    wanted: { atLeast: 1 },
    unit: '×',
    reached: medianRatio(timesOf(than, largest), timesOf(ours, largest)),
  });
  return [
    table(
      ['median ms', ...sizes.map((chunks) => `${chunks} chunks`)],
      names.map((name) => [readers[name].title, ...sizes.map((chunks) => short(median(timesOf(name, chunks))))]),
    ),
    targetTable([
      speedup('chunks per second', 'ours', 'openai'),
      speedup('accumulated chunks per second', 'oursFinal', 'openaiFinal'),
      speedup('accumulated chunks of JSON per second', 'oursJson', 'openaiJson'),
    ]),
  ].join('\n\n');
}
