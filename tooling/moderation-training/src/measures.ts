import {
  categories,
  columnOf,
  loadWeights,
  logits,
  readWindow,
  removeInvisible,
  takeMaximum,
  windows,
  type Category,
} from '@modelwire/engine-moderation/testing';
import { training } from './data.ts';
import { heldOut, undecidingSets, type HeldOutText } from './held-out.ts';
import { isForReport, unlike } from './parts.ts';

export interface ScoredText extends HeldOutText {
  readonly set: string;
  readonly logits: Float64Array;
}

/** The logits of held-out texts, of either half. Sets quote each other: texts seen in training are excluded. */
export async function scoredHeldOut(data: string, half: 'selection' | 'report'): Promise<readonly ScoredText[]> {
  const weights = await loadWeights();
  const work = { steps: 0 };
  const trained = training(data).map(({ text }) => text);
  const ofHalf = heldOut(data).flatMap(({ name, texts }) =>
    texts.filter(({ text }) => isForReport(text) === (half === 'report')).map((one) => ({ ...one, set: name })),
  );
  return unlike(ofHalf, trained, ({ text }) => text).map((one) => {
    const highest = new Float64Array(categories.length).fill(-Infinity);
    for (const window of windows(removeInvisible(one.text), work))
      takeMaximum(highest, logits(readWindow(window, weights.vocabulary, work), weights));
    return { ...one, logits: highest };
  });
}

export type Thresholds = Readonly<Partial<Record<Category, number>>>;

export const isFlagged = ({ logits: all }: ScoredText, thresholds: Thresholds): boolean =>
  categories.some((category) => (all[columnOf[category]] ?? -Infinity) >= (thresholds[category] ?? Infinity));

/** The share of harmless texts that are flagged in any category. Each deciding set counts the same. */
export function flaggedShare(texts: readonly ScoredText[], thresholds: Thresholds): number {
  const sets = Map.groupBy(
    texts.filter(({ isHarmless, set }) => isHarmless === true && !undecidingSets.has(set)),
    ({ set }) => set,
  );
  let sum = 0;
  for (const some of sets.values()) sum += some.filter((one) => isFlagged(one, thresholds)).length / some.length;
  return sum / sets.size;
}

/** A positive example of a category, weighted so that a large set counts as much as one of 150 texts. */
export interface Positive {
  readonly logit: number;
  readonly weight: number;
}

const mostOfSet = 150;

export function positivesOf(texts: readonly ScoredText[], category: Category): readonly Positive[] {
  const positives = texts.filter(({ shows }) => shows[category] === true);
  const sizes = Map.groupBy(positives, ({ set }) => set);
  return positives.map(({ set, logits: all }) => ({
    logit: all[columnOf[category]] ?? -Infinity,
    weight: Math.min(1, mostOfSet / (sizes.get(set)?.length ?? 1)),
  }));
}

/** The share of the positives at or above a threshold. */
export function recallOf(positives: readonly Positive[], threshold: number): number {
  let [found, all] = [0, 0];
  for (const { logit, weight } of positives) {
    all += weight;
    if (logit >= threshold) found += weight;
  }
  return found / all;
}

/** Area under the ROC curve: how often a positive example scores higher than a negative one; a tie counts half. */
export function auc(examples: readonly { readonly score: number; readonly shows: boolean }[]): number {
  const sorted = examples.toSorted((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++;
    for (let i = from; i < to; i++) if (sorted[i]?.shows === true) ranks += (from + to + 1) / 2;
    from = to;
  }
  const positives = sorted.filter(({ shows }) => shows).length;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (sorted.length - positives));
}
