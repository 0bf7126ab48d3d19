import * as fc from 'fast-check';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/** Runs a check with generators of random numbers with different seeds. A failure reports the smallest failing seed. */
export function forRandomSeeds(
  parameters: Readonly<fc.Parameters<[number]>>,
  check: (random: Random, seed: number) => void,
): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => check(createRandom(seed), seed)),
    parameters,
  );
}
