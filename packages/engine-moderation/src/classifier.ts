import { categories, columnCount, columnOf, harmColumn, subcategoryPairs } from './categories.ts';
import { foldConfusables } from './confusables.ts';
import { features, type Features } from './features.ts';
import { maskIdioms } from './neutral.ts';
import { stride, sumRows } from './rows.ts';
import { rulePoints } from './signals.ts';
import { harmThresholds, thresholds } from './thresholds.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { Weights } from './weights.ts';
import { removeInvisible, windows } from './windows.ts';
import { words } from './words.ts';
import type { Work } from './work.ts';

/**
 * The model's input for a window: the features of its stretches, and the points of the rules. Training uses the same function.
 */
export interface ModelInput {
  /** One for each stretch of words, so that a short harmful part is not diluted by a long text. */
  readonly stretches: readonly Features[];
  readonly points: Float64Array;
}

export function readWindow(window: string, vocabulary: Vocabulary, work: Work): ModelInput {
  const plain = maskIdioms(words(foldConfusables(window), vocabulary, work), work);
  const stretches: Features[] = [];
  for (let from = 0; from === 0 || from + overlapWords < plain.length; from += wordsPerStretch - overlapWords)
    stretches.push(features(plain.slice(from, from + wordsPerStretch), work));
  return { stretches, points: rulePoints(plain, work) };
}

/** Words of one stretch, and its overlap with the next. */
const wordsPerStretch = 40;
const overlapWords = 10;

/**
 * The logit of each category and of harm for a text, before calibration: the maximum over its windows. It yields after each window. Pure: the
 * same text always gives the same logits.
 */
export function* readText(text: string, weights: Weights, work: Work): Generator<undefined, Float64Array> {
  const highest = new Float64Array(columnCount).fill(-Infinity);
  let stretches = 0;
  let words = 0;
  for (const window of windows(removeInvisible(text), work)) {
    const input = readWindow(window, weights.vocabulary, work);
    takeMaximum(highest, logits(input, weights));
    stretches += input.stretches.length;
    for (const stretch of input.stretches) words += stretch.words.length;
    yield;
  }
  const penalty =
    lengthPenalty * Math.log(Math.min(mostStretches, stretches)) + brevityPenalty * Math.max(0, fewWords - words);
  return highest.map((logit, column) => (column === harmColumn ? logit : logit - penalty));
}

/** More stretches have more chances of a high sum: what it takes grows with their number, up to a limit. */
const lengthPenalty = 0.5;
const mostStretches = 30;
/** A word or two alone name something: it takes more for each word that is missing. */
const brevityPenalty = 0.5;
const fewWords = 3;

/** The logits of a text at once. */
export function textLogits(text: string, weights: Weights, work: Work = { steps: 0 }): Float64Array {
  const windowsOfText = readText(text, weights, work);
  for (;;) {
    const step = windowsOfText.next();
    if (step.done) return step.value;
  }
}

export function takeMaximum(highest: Float64Array, other: Float64Array): void {
  for (let column = 0; column < highest.length; column++)
    highest[column] = Math.max(highest[column] ?? 0, other[column] ?? 0);
}

/** The highest sum of weights over the stretches, with the points of the rules; those of any category count for harm. */
function logits({ stretches, points }: ModelInput, weights: Weights): Float64Array {
  const highest = new Float64Array(columnCount).fill(-Infinity);
  for (const stretch of stretches) takeMaximum(highest, sumWeights(stretch, weights));
  const mostPoints = Math.max(...points);
  return highest.map((sum, column) => {
    const { bias } = weights.columns[column] ?? { bias: 0 };
    return sum + bias + (column === harmColumn ? mostPoints : (points[column] ?? 0));
  });
}

function sumWeights(
  { words, share, bucket, pairs, pairShare, runShare }: Features,
  { columns, table, wordRows, wordTable }: Weights,
): Float64Array {
  const rows: number[] = [];
  for (const word of words) {
    const row = wordRows.get(word);
    if (row !== undefined) rows.push(row);
  }
  sumRows(wordTable, rows, 0, rows.length, wordSums);
  // Integers, and one multiplication for each group: all of a group have the same weight.
  sumRows(table, bucket, 0, pairs, pairSums);
  sumRows(table, bucket, pairs, bucket.length, runSums);
  const sums = new Float64Array(columnCount);
  for (let column = 0; column < sums.length; column++) {
    const { step, wordStep } = columns[column] ?? { step: 0, wordStep: 0 };
    sums[column] =
      (wordSums[column] ?? 0) * share * wordStep +
      ((pairSums[column] ?? 0) * pairShare + (runSums[column] ?? 0) * runShare) * step;
  }
  return sums;
}

/** Reused for each stretch, to produce little garbage under load. */
const [wordSums, pairSums, runSums] = [new Int32Array(stride), new Int32Array(stride), new Int32Array(stride)] as const;

/**
 * How far a text is above the threshold of harm of some category. This protects harmless texts: a category is only flagged in a harmful
 * text, where its own logit separates it from other harm.
 */
export function harmOf(logits: Float64Array): number {
  let highest = -Infinity;
  for (const category of categories) {
    const threshold = harmThresholds[category] ?? Infinity;
    highest = Math.max(highest, (logits[columnOf[category]] ?? 0) + (logits[harmColumn] ?? 0) - threshold);
  }
  return highest;
}

/** Scores that are 0.5 at the thresholds of each judged category, and 0 for the others. */
export function scoresOf(logits: Float64Array, { columns }: Weights): Float64Array {
  const harm = harmOf(logits);
  const scored = Float64Array.from(categories, (category, column) => {
    const threshold = thresholds[category];
    if (threshold === undefined) return 0;
    const excess = Math.min(harm, (logits[column] ?? 0) - threshold);
    return 1 / (1 + Math.exp(-(columns[column]?.slope ?? 0) * excess));
  });
  for (const [child, parent] of subcategoryPairs)
    scored[columnOf[parent]] = Math.max(scored[columnOf[parent]] ?? 0, scored[columnOf[child]] ?? 0);
  return scored;
}
