import * as fc from 'fast-check';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/** Runs a check with random numbers of any seed. A failure names the smallest failing seed. */
export function forRandomSeeds(
  parameters: Readonly<fc.Parameters<[number]>>,
  check: (random: Random, seed: number) => void,
): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => check(createRandom(seed), seed)),
    parameters,
  );
}
