import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { expect, it } from 'vitest';
import { checkLengths, checkMasks, checkValues, tokensOf } from '../../test/mask-checks.ts';
import { forRandomSeeds } from '../../test/for-random-seeds.ts';
import { createRandom } from '../../test/random.ts';
import { randomVocabulary } from '../../test/random-vocabulary.ts';

const VOCABULARIES = [150, 600, 3000].map((size) => tokensOf(randomVocabulary(createRandom(size), size)));

// The seed is fixed, so that each run tests the same schemas; test/soak.ts tests those of other seeds.
it.each([
  ['allow a token exactly if its bytes are allowed one by one and it leads to a valid value', checkMasks, 80],
  ['allow all tokens of a value exactly if it is valid, with any tokenization', checkValues, 40],
  ['allow exactly the tokens of strings with a limited number of characters', checkLengths, 20],
])('masks %s', (_, check, numRuns) => {
  forRandomSeeds({ numRuns, seed: 1, endOnFailure: true }, (random) => {
    expect(check(random, random.pick(VOCABULARIES))).toBeUndefined();
  });
});

it('masks of a vocabulary of 200,000 tokens allow a token exactly if its bytes are allowed one by one', () => {
  const encoder = new TextEncoder();
  const words = ranks.map((token) => (typeof token === 'string' ? encoder.encode(token) : Uint8Array.from(token)));
  const o200k = tokensOf(words);
  // Masks of strings with a length limit are computed in different ways above and below 50,000 allowed tokens.
  const schemas = [
    { type: 'string', minLength: 2, maxLength: 14 },
    { type: 'string', pattern: '^[^日"/]*$', maxLength: 30 },
  ];
  schemas.forEach((schema, seed) => {
    expect(checkMasks(createRandom(seed), o200k, schema)).toBeUndefined();
  });
});
