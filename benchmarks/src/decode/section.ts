import { spawnChild } from '../child.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import { cases } from './cases.ts';
import { decoders } from './decoders.ts';
import type { DecoderName } from './decoders.ts';
import type { DecodeQuestion } from './worker.ts';

const names = Object.keys(decoders) as DecoderName[];

/** Each decoder runs in a separate process, so that the code of one is not optimised for the objects of another. */
export async function decodeSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const all = cases().map(({ name, title, bytes, events }) => ({ name, title, bytes, events }));
  const children = new Map(names.map((name) => [name, spawnChild(new URL('./worker.ts', import.meta.url), [name])]));
  const times = new Map<string, number[]>();
  const { rounds, ms } = quick ? { rounds: 1, ms: 50 } : { rounds: 5, ms: 300 };
  const timesOf = (decoder: DecoderName, name: string): number[] => times.get(`${decoder} ${name}`) ?? [];
  try {
    // An uncounted round compiles the code.
    for (let round = -1; round < rounds; round++) {
      for (const { name } of all) {
        for (const decoder of rotated(names, round + 1)) {
          const question: DecodeQuestion = { decoder, name, ms };
          const took = (await children.get(decoder)?.ask<number>(question)) ?? NaN;
          if (round >= 0) times.set(`${decoder} ${name}`, [...timesOf(decoder, name), took]);
          say(`round ${round + 1}: ${decoder} ${name}: ${took.toFixed(2)} ms`);
        }
      }
    }
  } finally {
    await Promise.all([...children.values()].map((child) => child.stop()));
  }

  const faster = (than: DecoderName, name: string, ours: DecoderName = 'ours'): number =>
    medianRatio(timesOf(than, name), timesOf(ours, name));
  return [
    table(
      ['median ms', ...all.map(({ name }) => name)],
      names.map((decoder) => [
        decoders[decoder].title,
        ...all.map(({ name }) => short(median(timesOf(decoder, name)))),
      ]),
    ),
    table(
      ['events/s', ...all.filter(({ events }) => events > 1).map(({ name }) => name)],
      names.map((decoder) => [
        decoders[decoder].title,
        ...all
          .filter(({ events }) => events > 1)
          .map(({ name, events }) => short((events * 1000) / median(timesOf(decoder, name)))),
      ]),
    ),
    table(
      ['speed of **Modelwire**, `for await`, relative to', ...all.map(({ name }) => name)],
      names
        .filter((decoder) => decoder !== 'ours')
        .map((decoder) => [decoders[decoder].title, ...all.map(({ name }) => `${short(faster(decoder, name))} ×`)]),
    ),
    all.map(({ name, title, bytes }) => `${name}: ${title} (${Math.round(bytes / 1024)} KiB).`).join(' '),
    targetTable([
      ...['A', 'B'].map((name) => ({
        what: `stream decode ÷ \`openai\`, case ${name}`,
        wanted: { atLeast: 2.5 },
        unit: '×' as const,
        reached: faster('openai', name),
      })),
      ...['D', 'E'].map((name) => ({
        what: `time of case ${name}2 ÷ time of case ${name}`,
        wanted: { below: 3 },
        unit: '×' as const,
        reached: medianRatio(timesOf('ours', `${name}2`), timesOf('ours', name)),
      })),
    ]),
  ].join('\n\n');
}
