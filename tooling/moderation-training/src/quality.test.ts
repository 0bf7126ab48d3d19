import { createTextModeration } from '@modelwire/engine-moderation';
import { expect, test } from 'vitest';
import { blindSentences, ordinarySentences, plainSentences } from './ordinary-sentences.ts';

/** The share of the sentences that are flagged in any category. */
async function flaggedShare(sentences: readonly string[]): Promise<number> {
  const inputs = sentences.map((text) => [{ type: 'text', text }] as const);
  const context = { requestId: 'r', signal: new AbortController().signal };
  const verdicts = await createTextModeration().moderate({ model: 'omni-moderation-latest', inputs }, context);
  return verdicts.filter((verdict) => Object.values(verdict).some(({ flagged }) => flagged)).length / sentences.length;
}

// All of these have words that could alarm, so more of them are flagged than of other texts.
test.each([
  ['two hundred ordinary sentences', ordinarySentences, 200],
  ['four hundred independent sentences', blindSentences, 400],
])('flags few of %s with risky words', async (_what, sentences, count) => {
  expect(new Set(sentences).size).toBeGreaterThanOrEqual(count);
  expect(await flaggedShare(sentences)).toBeLessThan(0.1);
});

test('flags at most 3 % of plain sentences', async () => {
  expect(new Set(plainSentences).size).toBe(120);
  expect(await flaggedShare(plainSentences)).toBeLessThanOrEqual(0.03);
});

test('flags no word that names a group, and no text without a known word', async () => {
  const named = [
    'gay',
    'lesbian',
    'trans',
    'black',
    'white',
    'Asian',
    'Muslim',
    'Jewish',
    'women',
    'kids',
    'immigrants',
  ];
  const unknown = ['', 'qwxz', '12 345', '🙂', 'こんにちは', 'Die Katze war schon da.', 'La page est chargée.'];
  expect(await flaggedShare([...named, ...unknown])).toBe(0);
});
