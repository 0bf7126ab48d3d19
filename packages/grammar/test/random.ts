import { seededRandom } from '@modelwire/vitest/random';
import type { State } from '../src/index.ts';

/** Deterministic pseudorandom numbers. */
export type Random = {
  /** An integer from 0 to `below - 1`. */
  int(below: number): number;
  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
};

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => int(1000) < probability * 1000,
    pick(items) {
      const found = items[int(items.length)];
      if (found === undefined) throw new RangeError('nothing to choose from');
      return found;
    },
  };
}

/** A random text of the grammar: some random bytes and a shortest completion. Throws if a state has no completion. */
export function randomText(from: State, random: Random, steps: number): string {
  let state = from;
  const bytes: number[] = [];
  for (let i = 0; i < steps; i++) {
    const allowed = state.nextBytes();
    if (allowed.length === 0 || (state.canEnd() && random.chance(0.2))) break;
    // Without a bias towards closing brackets and quotes, most texts would be one long string.
    const closing = allowed.filter((byte) => byte === 0x22 || byte === 0x5d || byte === 0x7d);
    const byte = closing.length > 0 && random.chance(0.15) ? random.pick(closing) : random.pick(allowed);
    const next = state.advanceByte(byte);
    if (next === undefined) throw new Error('an allowed byte was rejected');
    bytes.push(byte);
    state = next;
  }
  const rest = state.completionBytes();
  if (state.advance(rest)?.canEnd() !== true) throw new Error('a completion does not end the text');
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from([...bytes, ...rest]));
}
