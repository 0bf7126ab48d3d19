/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** A prefixed ID, like those of servers. */
  id(prefix: string): string;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** A short sentence. */
  sentence(): string;
  /** Unix seconds, in January 2026. */
  time(): number;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  /** mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value => values[int(0, values.length - 1)] ?? values[0];
  return {
    int,
    pick,
    id: (prefix) => prefix + Array.from({ length: 24 }, () => letters.charAt(int(0, letters.length - 1))).join(''),
    sentence: () => `The ${pick(nouns)} ${pick(verbs)} the ${pick(places)}.`,
    time: () => 1_767_225_600 + int(0, 2_678_399),
  };
}

const nouns = ['river', 'clock', 'baker', 'map', 'lantern', 'orchard'] as const;
const verbs = ['crosses', 'remembers', 'leaves', 'wakes', 'follows'] as const;
const places = ['valley', 'harbour', 'tower', 'market', 'road'] as const;
