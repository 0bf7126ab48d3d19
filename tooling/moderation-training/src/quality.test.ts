import { createTextModeration } from '@modelwire/engine-moderation';
import { categories, columnOf, loadWeights } from '@modelwire/engine-moderation/testing';
import { expect, test } from 'vitest';
import { blindSentences, ordinarySentences } from './ordinary-sentences.ts';
import { decisions } from './thresholds.ts';

/** The sentences that are flagged in any category. */
async function flagged(sentences: readonly string[]): Promise<string[]> {
  const inputs = sentences.map((text) => [{ type: 'text', text }] as const);
  const context = { requestId: 'r', signal: new AbortController().signal };
  const verdicts = await createTextModeration().moderate({ model: 'omni-moderation-latest', inputs }, context);
  return sentences.filter((_, index) => Object.values(verdicts[index] ?? {}).some(({ flagged }) => flagged));
}

test('flags none of two hundred ordinary sentences', async () => {
  expect(new Set(ordinarySentences).size).toBeGreaterThanOrEqual(200);
  expect(await flagged(ordinarySentences)).toEqual([]);
});

test('flags exactly one of four hundred independent sentences', async () => {
  expect(new Set(blindSentences).size).toBe(400);
  // Accepted false positive: rules for text about children are not relaxed for a sentence about a sprinkler.
  expect(await flagged(blindSentences)).toEqual([
    'Toddlers will run naked through any garden that contains a sprinkler.',
  ]);
});

test.each(categories)(
  '%s is flagged and reported as uncertain from the scores of the training script on',
  async (category) => {
    const { threshold, doubt } = (await loadWeights()).columns[columnOf[category]] ?? {};
    expect({ threshold, doubt }).toEqual(decisions[category]);
  },
);
