import { spawnChild } from '../child.ts';
import { rotated } from '../statistics.ts';
import type { Arena, Entry } from './arena.ts';
import type { LoadAnswer, LoadQuestion } from './load.ts';
import type { Mode } from './payload.ts';

export interface RoundsOptions {
  readonly rounds: number;
  /** Of each measurement. */
  readonly ms: number;
  readonly warmUpMs: number;
  /** Duration of the warm-up of each entry before the first round, which compiles its code. */
  readonly compileMs: number;
  readonly say: (text: string) => void;
}

export const connectionCounts = [1, 16, 64] as const;
export type Connections = (typeof connectionCounts)[number];

export interface Sample extends LoadAnswer {
  /** Microseconds of the server's CPU time for each request. */
  readonly cpu: number;
  /** Bytes of the server's memory afterwards. */
  readonly rss: number;
}

/** Samples of one entry at one number of connections, in the order of the rounds. */
export interface Measured {
  readonly entry: Entry;
  readonly connections: Connections;
  readonly samples: Sample[];
}

/**
 * Measures all entries once per round, in an order that rotates, one after the other at the same number of connections. Ratios are computed
 * within a round, so that a temporary load affects both sides.
 */
export async function runRounds(
  arena: Arena,
  { rounds, ms, warmUpMs, compileMs, say }: RoundsOptions,
): Promise<Measured[]> {
  const load = spawnChild(new URL('./load.ts', import.meta.url), []);
  const all = connectionCounts.flatMap((connections) =>
    arena.entries.map((entry): Measured => ({ entry, connections, samples: [] })),
  );

  async function measure({ entry, connections }: Measured, duration: number): Promise<Sample> {
    const { contestant, request } = entry;
    const before = await arena.used(contestant.server);
    const question: LoadQuestion = { ...request, connections, warmUpMs, ms: duration };
    const answer = await load.ask<LoadAnswer>(question);
    const after = await arena.used(contestant.server);
    if (answer.failed > 0) say(`${contestant.name}: ${answer.failed} of ${answer.answered} failed`);
    return { ...answer, cpu: (after.cpu - before.cpu) / answer.answered, rss: after.rss };
  }

  try {
    // Warm-up: compiles the code of all entries.
    for (const one of all) if (one.connections === 16) await measure(one, compileMs);
    for (let round = 0; round < rounds; round++) {
      for (const mode of ['create', 'stream'] satisfies Mode[]) {
        for (const connections of connectionCounts) {
          const group = all.filter((one) => one.entry.mode === mode && one.connections === connections);
          for (const one of rotated(group, round)) {
            const sample = await measure(one, ms);
            one.samples.push(sample);
            const name = `${one.entry.contestant.name} ${mode} at ${connections}`;
            say(`round ${round + 1}: ${name}: ${Math.round(sample.rate)}/s, ${Math.round(sample.cpu)} µs`);
          }
        }
      }
    }
    return all;
  } finally {
    await load.stop();
  }
}
