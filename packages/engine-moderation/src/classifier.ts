import { categories, columnOf, subcategoryPairs } from './categories.ts';
import { foldConfusables } from './confusables.ts';
import { features, type Features } from './features.ts';
import { maskIdioms } from './neutral.ts';
import { stride, sumRows } from './rows.ts';
import { rulePoints } from './signals.ts';
import { thresholds } from './thresholds.ts';
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

/** The score of each category for a text: the maximum over its windows. Pure: the same text always gives the same scores. */
export function* scoreWindows(text: string, weights: Weights, work: Work): Generator<Float64Array> {
  for (const window of windows(removeInvisible(text), work))
    yield scaledScores(readWindow(window, weights.vocabulary, work), weights);
}

/** All windows of a text at once. */
export function scores(text: string, weights: Weights, work: Work = { steps: 0 }): Float64Array {
  const highest = new Float64Array(categories.length);
  for (const window of scoreWindows(text, weights, work)) takeMaximum(highest, window);
  return highest;
}

export function takeMaximum(highest: Float64Array, other: Float64Array): void {
  for (let column = 0; column < highest.length; column++)
    highest[column] = Math.max(highest[column] ?? 0, other[column] ?? 0);
}

/** The highest sum of weights over the stretches, with the points of the rules, before calibration. */
export function logits({ stretches, points }: ModelInput, weights: Weights): Float64Array {
  const highest = new Float64Array(categories.length).fill(-Infinity);
  for (const stretch of stretches) takeMaximum(highest, sumWeights(stretch, weights));
  return highest.map((sum, column) => sum + (weights.columns[column]?.bias ?? 0) + (points[column] ?? 0));
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
  const sums = new Float64Array(categories.length);
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

/** Scores that are 0.5 at the threshold of each judged category, and 0 for the others. */
function scaledScores(input: ModelInput, weights: Weights): Float64Array {
  const scored = logits(input, weights).map((logit, column) => {
    const category = categories[column];
    const threshold = category && thresholds[category];
    const { slope } = weights.columns[column] ?? { slope: 0 };
    return threshold === undefined ? 0 : 1 / (1 + Math.exp(slope * (threshold - logit)));
  });
  for (const [child, parent] of subcategoryPairs)
    scored[columnOf[parent]] = Math.max(scored[columnOf[parent]] ?? 0, scored[columnOf[child]] ?? 0);
  return scored;
}
