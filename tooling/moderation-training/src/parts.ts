import { hashText } from '@modelwire/engine-moderation/testing';

/** A part from 0 to 9 for a text: stable, and equal for texts with the same start. */
export function part(text: string): number {
  const start = text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, 30);
  return hashText(`part:${start === '' ? text : start}`) % 10;
}

/** Even parts are for training and selection, odd ones for reports. */
export const isForReport = (text: string): boolean => part(text) % 2 === 1;

const runLength = 8;

/** The `texts` without a run of eight words in common with any of `others`. */
export function unlike<Item>(
  texts: readonly Item[],
  others: readonly string[],
  textOf: (item: Item) => string,
): Item[] {
  // The others are many more: only what they share is kept.
  const own = new Set(texts.flatMap((item) => runs(textOf(item))));
  const shared = new Set<string>();
  for (const other of others) for (const run of runs(other)) if (own.has(run)) shared.add(run);
  return texts.filter((item) => !runs(textOf(item)).some((run) => shared.has(run)));
}

function runs(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return words.length < runLength
    ? [words.join(' ')]
    : Array.from({ length: words.length - runLength + 1 }, (_, i) => words.slice(i, i + runLength).join(' '));
}
