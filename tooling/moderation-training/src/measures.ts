import { loadWeights, textLogits, type Category } from '@modelwire/engine-moderation/testing';
import { training } from './data.ts';
import { heldOut, plainSets, undecidingSets, type HeldOutText } from './held-out.ts';
import { part, unlike } from './parts.ts';

export interface ScoredText extends HeldOutText {
  readonly set: string;
  /** 0 or 1. A threshold is chosen with both, and with each of them to measure it on the other. */
  readonly half: number;
  readonly logits: Float64Array;
}

/** The logits of held-out texts. Sets quote each other: texts seen in training are excluded. */
export async function scoredHeldOut(data: string): Promise<readonly ScoredText[]> {
  const weights = await loadWeights();
  const trained = training(data).map(({ text }) => text);
  const all = heldOut(data).flatMap(({ name, texts }) => texts.map((one) => ({ ...one, set: name })));
  return unlike(all, trained, ({ text }) => text).map((one) => ({
    ...one,
    half: part(one.text) % 2,
    logits: textLogits(one.text, weights),
  }));
}

/** The sets of harmless texts that decide. */
export function decidingSets(texts: readonly ScoredText[]): readonly (readonly ScoredText[])[] {
  const isDeciding = ({ isHarmless, set }: ScoredText): boolean =>
    isHarmless === true && !undecidingSets.has(set) && !plainSets.has(set);
  return [...Map.groupBy(texts.filter(isDeciding), ({ set }) => set).values()];
}

/** The mean share of the texts that are flagged: each set counts the same. */
export function flaggedShare<Text>(sets: readonly (readonly Text[])[], isFlagged: (text: Text) => boolean): number {
  const shares = sets.map((texts) => texts.filter(isFlagged).length / texts.length);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** A text that shows a category, weighted so that a large set counts as much as one of 150 texts. */
export interface Positive<Text = ScoredText> {
  readonly text: Text;
  readonly weight: number;
}

const mostOfSet = 150;

export function positivesOf(texts: readonly ScoredText[], category: Category): readonly Positive[] {
  const positives = texts.filter(({ shows }) => shows[category] === true);
  const sizes = Map.groupBy(positives, ({ set }) => set);
  return positives.map((text) => ({ text, weight: Math.min(1, mostOfSet / (sizes.get(text.set)?.length ?? 1)) }));
}

/** The share of the positives that are found. */
export function recallOf<Text>(positives: readonly Positive<Text>[], isFound: (text: Text) => boolean): number {
  let [found, all] = [0, 0];
  for (const { text, weight } of positives) {
    all += weight;
    if (isFound(text)) found += weight;
  }
  return found / all;
}

/** The recall that a judged category has at least. */
export const leastRecall = 0.75;

/** The highest threshold of a score with a recall. */
export function thresholdFor(
  positives: readonly Positive[],
  recall: number,
  scoreOf: (text: ScoredText) => number,
): number {
  const highestFirst = positives
    .map(({ text, weight }) => ({ score: scoreOf(text), weight }))
    .sort((a, b) => b.score - a.score);
  const all = positives.reduce((sum, { weight }) => sum + weight, 0);
  let found = 0;
  return highestFirst.find(({ weight }) => (found += weight) >= recall * all - 1e-9)?.score ?? -Infinity;
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
