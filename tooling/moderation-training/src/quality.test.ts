import { createTextModeration } from '@modelwire/engine-moderation';
import { expect, test } from 'vitest';
import {
  blindSentences,
  negations,
  ordinarySentences,
  plainSentences,
  selfDescriptions,
  singleWords,
} from './ordinary-sentences.ts';

/** How many of the texts are flagged in any category. */
async function flaggedCount(texts: readonly string[]): Promise<number> {
  const inputs = texts.map((text) => [{ type: 'text', text }] as const);
  const context = { requestId: 'r', signal: new AbortController().signal };
  const verdicts = await createTextModeration().moderate({ model: 'omni-moderation-latest', inputs }, context);
  return verdicts.filter((verdict) => Object.values(verdict).some(({ flagged }) => flagged)).length;
}

// The README has these counts.
test.each([
  ['plain sentences', plainSentences, 120, 0],
  ['single words', singleWords, 399, 0],
  ['self-descriptions', selfDescriptions, 347, 0],
  ['sentences with risky words', ordinarySentences, 204, 0],
  ['sentences with risky words, by an independent author', blindSentences, 400, 2],
  ['negations and idioms', negations, 20, 7],
])('flags no more %s than measured', async (_what, texts, count, most) => {
  expect(new Set(texts).size).toBe(count);
  expect(await flaggedCount(texts)).toBeLessThanOrEqual(most);
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
  expect(await flaggedCount([...named, ...unknown])).toBe(0);
});
