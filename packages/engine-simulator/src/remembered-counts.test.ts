import { expect, test } from 'vitest';
import { rememberedCounts } from './remembered-counts.ts';

test('remembers counts, also those of other texts of the same length', () => {
  const counts = rememberedCounts(100_000);
  counts.set('abc', 1);
  counts.set('abd', 2);
  counts.set('漢字x', 3);
  expect(['abc', 'abd', '漢字x', 'abe'].map((text) => counts.get(text))).toEqual([1, 2, 3, undefined]);
});

test('is bounded in bytes, however many and however long the texts are', () => {
  for (const length of [1, 100, 1000]) {
    const maxBytes = 64 * 1024;
    const counts = rememberedCounts(maxBytes);
    const texts = Array.from({ length: 5000 }, (_, i) => String(i).padStart(length, '-'));
    for (const text of texts) counts.set(text, 1);
    const kept = texts.filter((text) => counts.get(text) !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.reduce((sum, text) => sum + 2 * text.length + 96, 0)).toBeLessThanOrEqual(maxBytes);
  }
});

test('forgets what was not asked for longest, and keeps what is asked for again and again', () => {
  const counts = rememberedCounts(20_000);
  counts.set('dear', 7);
  counts.set('forgotten', 8);
  for (let i = 0; i < 2000; i++) {
    counts.set(`passing ${i}`, i);
    expect(counts.get('dear')).toBe(7);
  }
  expect(counts.get('forgotten')).toBeUndefined();
});

test('keeps no text that would take an eighth of it', () => {
  const counts = rememberedCounts(8000);
  counts.set('x'.repeat(600), 1);
  counts.set('x'.repeat(300), 2);
  expect(counts.get('x'.repeat(600))).toBeUndefined();
  expect(counts.get('x'.repeat(300))).toBe(2);
});
