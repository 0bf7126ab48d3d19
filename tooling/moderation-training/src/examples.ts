import { categories, columnOf, subcategoryPairs, type Category } from '@modelwire/engine-moderation/testing';

/** A text and its labels: 1 shows the category, 0 does not, -1 unknown. */
export interface Example {
  readonly text: string;
  readonly labels: Int8Array;
  /** Its source set. */
  readonly from: string;
  /** Its weight. */
  readonly weight: number;
}

export type Known = Partial<Record<Category, 0 | 1>>;

/** The parent of a positive category is positive; the child of a negative one is negative. */
export function labelsOf(known: Known, rest: 0 | -1 = -1): Int8Array {
  const labels = new Int8Array(categories.length).fill(rest);
  for (const category of categories) {
    const value = known[category];
    if (value !== undefined) labels[columnOf[category]] = value;
  }
  for (const [child, parent] of subcategoryPairs) if (labels[columnOf[child]] === 1) labels[columnOf[parent]] = 1;
  for (const [child, parent] of subcategoryPairs)
    if (known[parent] === 0 && known[child] === undefined) labels[columnOf[child]] = 0;
  return labels;
}

export const nothing = Object.fromEntries(categories.map((category) => [category, 0])) as Known;

export const example = (from: string, text: string, labels: Int8Array, weight = 1): Example => ({
  from,
  text,
  labels,
  weight,
});

/** A post without links, user names and remains of markup. */
export const clean = (text: string) =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#\d+;/g, ' ')
    .replace(/https?:\S+|\[URL\]/g, ' ')
    .replace(/@\w+:?|\[USER\]/g, ' ')
    .replace(/^[!"\s]*RT\b/, '')
    .trim();
