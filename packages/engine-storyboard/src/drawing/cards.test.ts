import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCards } from './cards.ts';
import type { Scene } from '../protocol.ts';

const sceneOf = (prompts: readonly string[], seconds: number): Scene => ({ prompts, seconds, isExtension: false });

test('a short prompt is one card for the whole length', () => {
  expect(createCards(sceneOf(['A red boat'], 4))).toEqual([
    { text: 'A red boat', label: undefined, start: 0, isOwn: true },
  ]);
});

test('a long prompt is shown completely, page by page', () => {
  const prompt = Array.from({ length: 60 }, (_, at) => `word${String(at)}`).join(' ');
  const cards = createCards(sceneOf([prompt], 12));
  expect(cards.length).toBeGreaterThan(3);
  expect(cards.map(({ text }) => text).join(' ')).toBe(prompt);
});

test('a remix shows the prompt of its source first, then its own', () => {
  expect(createCards(sceneOf(['a fox', 'a fox at night', 'add snow'], 4))).toEqual([
    { text: 'a fox at night', label: undefined, start: 0, isOwn: false },
    { text: 'add snow', label: 'Remix', start: 1, isOwn: true },
  ]);
});

test('an extension shows its own prompt alone', () => {
  expect(createCards({ ...sceneOf(['a fox', 'it runs away'], 4), isExtension: true })).toEqual([
    { text: 'it runs away', label: 'Extension', start: 0, isOwn: true },
  ]);
});

test('the cards of any prompts follow each other from the start, within the length', () => {
  const prompts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(prompts, fc.constantFrom(0.25, 4, 8, 12, 60), (texts, seconds) => {
      const cards = createCards(sceneOf(texts, seconds));
      const starts = cards.map(({ start }) => start);
      expect(starts[0]).toBe(0);
      expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
      expect(starts.at(-1)).toBeLessThan(seconds);
    }),
  );
});
