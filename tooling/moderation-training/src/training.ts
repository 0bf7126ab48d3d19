import {
  buckets,
  categories,
  columnOf,
  readWindow,
  removeInvisible,
  takeMaximum,
  windows,
  type Features,
  type Vocabulary,
} from '@modelwire/engine-moderation/testing';
import type { Example } from './examples.ts';
import type { Teacher } from './teacher.ts';
import type { WordVectors } from './word-vectors.ts';

/** A window of an example: its features, and the sum of its words' meanings. */
export interface Stretch {
  readonly features: Features;
  readonly meaning: Float32Array;
}

/** An example as the model sees it. */
export interface PreparedExample {
  readonly example: Example;
  readonly stretches: readonly Stretch[];
  readonly points: Float64Array;
  /** The teacher's prediction for each category, if any. */
  readonly teacherPrediction: Float32Array | undefined;
}

/** Maximum windows of a text: usually one is all of it. */
const maxWindows = 4;

export function prepareExamples(
  examples: readonly Example[],
  vocabulary: Vocabulary,
  vectors: WordVectors,
  teacher: Teacher,
): PreparedExample[] {
  const work = { steps: 0 };
  return examples.map((example) => {
    const readings = [...windows(removeInvisible(example.text), work)]
      .slice(0, maxWindows)
      .map((window) => readWindow(window, vocabulary, work));
    const points = new Float64Array(categories.length);
    for (const reading of readings) takeMaximum(points, reading.points);
    const stretches = readings.flatMap((reading) =>
      reading.stretches.map((features) => ({ features, meaning: meaningOf(features, vectors) })),
    );
    return { example, stretches, points, teacherPrediction: teacher(example.text) };
  });
}

function meaningOf({ words, share }: Features, { size, vector }: WordVectors): Float32Array {
  const sum = new Float32Array(size);
  for (const word of words) {
    const one = vector(word);
    if (one !== undefined) for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + share * (one[i] ?? 0);
  }
  return sum;
}

/** Weights of buckets, of frequent words, and of meanings; each with one number per column. */
export interface Fit {
  readonly columns: number;
  readonly bucket: Float32Array;
  readonly words: ReadonlyMap<number, number>;
  readonly word: Float32Array;
  readonly meaning: Float32Array;
  readonly bias: Float64Array;
}

const learningRate = 0.06;
const meaningLearningRate = 0.35;
const epochs = 5;
/** The last epochs, whose weights are averaged. */
const averagedEpochs = 3;
/** Weight decay for each window: what only one set shows generalizes less. */
const weightDecay = 2e-6;
/** Minimum windows with a feature for a weight: once is chance. */
const minOccurrences = 3;
/** A text without a known word has the logit of the bias: it must not be close to being flagged. */
const highestBias = -2;
/** Weight of the teacher relative to a label. */
const teacherWeight = 1;
const size = categories.length;
/**
 * The last column in training: whether a text shows any category. Its weights are added to those of each category: most negative examples of a
 * category are harmful in another way, and this column separates all of them from harmless texts.
 */
const harmColumn = size;
const allColumns = Array.from(categories, (_, column) => column);

/** The error of the prediction, for categories with a label. */
type Errors = readonly { readonly column: number; readonly error: number }[];

/** Logistic regression for each category with AdaGrad, added to the rules. Deterministic. */
export function fit(prepared: readonly PreparedExample[], meaningSize: number): Fit {
  const counts = new Uint32Array(buckets);
  const wordCounts = new Map<number, number>();
  for (const { stretches } of prepared)
    for (const { features } of stretches) {
      for (const bucket of features.bucket) counts[bucket] = (counts[bucket] ?? 0) + 1;
      for (const word of features.words) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1);
    }
  const words = new Map(
    [...wordCounts].filter(([, count]) => count >= minOccurrences).map(([word], row) => [word, row]),
  );
  const columns = size + 1;
  const fitted = {
    columns,
    bucket: new Float32Array(buckets * columns),
    words,
    word: new Float32Array(words.size * columns),
    meaning: new Float32Array(meaningSize * columns),
    bias: new Float64Array(columns).fill(highestBias),
  };
  const step = {
    bucket: adaGrad(fitted.bucket, learningRate),
    word: adaGrad(fitted.word, learningRate),
    meaning: adaGrad(fitted.meaning, meaningLearningRate),
  };
  let all = 0;
  for (const { stretches } of prepared) all += stretches.length;
  const applyErrors = ({ features, meaning }: Stretch, error: Errors): void => {
    const { words: hashes, share, bucket } = features;
    for (const hash of hashes) {
      const row = words.get(hash);
      if (row !== undefined)
        step.word(row * columns, error, share, (weightDecay * all) / (wordCounts.get(hash) ?? all));
    }
    for (let f = 0; f < bucket.length; f++) {
      const at = bucket[f] ?? 0;
      const count = counts[at] ?? 0;
      if (count >= minOccurrences) step.bucket(at * columns, error, shareOf(features, f), (weightDecay * all) / count);
    }
    for (let i = 0; i < meaningSize; i++) step.meaning(i * columns, error, meaning[i] ?? 0, weightDecay);
  };
  const positiveWeights = positiveWeightsOf(prepared.map(({ example }) => example));
  const mean = { bucket: new Float32Array(fitted.bucket.length), word: new Float32Array(fitted.word.length) };
  const order = shuffled(prepared.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const index of order) {
      const one = prepared[index] as PreparedExample;
      const { teacherPrediction, example } = one;
      const labels = [...example.labels, harmLabelOf(example)];
      const known = allColumns.filter((column) => teacherPrediction !== undefined || (labels[column] ?? -1) >= 0);
      if (labels[harmColumn] !== -1) known.push(harmColumn);
      const sums = one.stretches.map((stretch) => sumsOf(stretch, fitted, known));
      const errors = one.stretches.map((): { column: number; error: number }[] => []);
      for (const column of known) {
        const label = labels[column] ?? -1;
        // A text is as harmful as its worst window: that one is trained.
        let at = 0;
        for (let other = 1; other < sums.length; other++)
          if ((sums[other]?.[column] ?? 0) > (sums[at]?.[column] ?? 0)) at = other;
        const logit =
          (sums[at]?.[column] ?? 0) +
          (fitted.bias[column] ?? 0) +
          (column === harmColumn ? Math.max(...one.points) : (one.points[column] ?? 0));
        const guess = 1 / (1 + Math.exp(-logit));
        const labelled =
          label < 0 ? 0 : (guess - label) * example.weight * (label === 1 ? (positiveWeights[column] ?? 1) : 1);
        const error =
          labelled +
          (teacherPrediction === undefined ? 0 : teacherWeight * (guess - (teacherPrediction[column] ?? guess)));
        if (Math.abs(error) < 2e-3) continue;
        fitted.bias[column] = Math.min(highestBias, (fitted.bias[column] ?? 0) - 0.005 * error);
        errors[at]?.push({ column, error });
      }
      one.stretches.forEach((stretch, at) => {
        const error = errors[at];
        if (error !== undefined && error.length > 0) applyErrors(stretch, error);
      });
    }
    if (epoch < epochs - averagedEpochs) continue;
    addTo(mean.bucket, fitted.bucket, 1 / averagedEpochs);
    addTo(mean.word, fitted.word, 1 / averagedEpochs);
  }
  return withHarm({ ...fitted, ...mean });
}

/** 1 if a text shows any category, 0 if it shows none. */
function harmLabelOf({ labels }: Example): 0 | 1 | -1 {
  return labels.includes(1) ? 1 : labels.every((label) => label === 0) ? 0 : -1;
}

/** Adds the column for harm to the categories, and removes it. */
function withHarm(fitted: Fit): Fit {
  const fold = (table: Float32Array | Float64Array): Float32Array =>
    Float32Array.from({ length: (table.length / fitted.columns) * size }, (_, at) => {
      const row = Math.floor(at / size) * fitted.columns;
      return (table[row + (at % size)] ?? 0) + (table[row + harmColumn] ?? 0);
    });
  const { words, bucket, word, meaning, bias } = fitted;
  return {
    ...{ words, columns: size, bucket: fold(bucket), word: fold(word), meaning: fold(meaning) },
    bias: Float64Array.from(fold(bias)),
  };
}

function addTo(sum: Float32Array, table: Float32Array, share: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + share * (table[at] ?? 0);
}

/**
 * One step for a row with a number for each category, which are adjacent in memory. `pull` is the decay by the share of windows
 * with the row, so that rare and frequent rows decay alike.
 */
function adaGrad(
  table: Float32Array,
  speed: number,
): (row: number, errors: Errors, value: number, pull: number) => void {
  const squares = new Float32Array(table.length).fill(1e-3);
  return (row, errors, value, pull) => {
    for (const { column, error } of errors) {
      const push = error * value;
      if (push === 0) continue;
      const index = row + column;
      const slope = push + pull * (table[index] ?? 0);
      const square = (squares[index] ?? 0) + slope * slope;
      squares[index] = square;
      table[index] = (table[index] ?? 0) - (speed * slope) / Math.sqrt(square);
    }
  };
}

/** The sums of the worst window for each category. */
export function worst({ stretches }: PreparedExample, fitted: Fit): Float64Array {
  const highest = new Float64Array(size).fill(-Infinity);
  for (const stretch of stretches) takeMaximum(highest, sumsOf(stretch, fitted, allColumns));
  return highest;
}

function sumsOf({ features, meaning }: Stretch, fitted: Fit, columns: readonly number[]): Float64Array {
  const size = fitted.columns;
  const sums = new Float64Array(size);
  const add = (table: Float32Array, row: number, value: number): void => {
    for (const column of columns) sums[column] = (sums[column] ?? 0) + value * (table[row + column] ?? 0);
  };
  for (const hash of features.words) {
    const row = fitted.words.get(hash);
    if (row !== undefined) add(fitted.word, row * size, features.share);
  }
  for (let f = 0; f < features.bucket.length; f++)
    add(fitted.bucket, (features.bucket[f] ?? 0) * size, shareOf(features, f));
  for (let i = 0; i < meaning.length; i++) add(fitted.meaning, i * size, meaning[i] ?? 0);
  return sums;
}

const shareOf = ({ pairs, pairShare, runShare }: Features, feature: number): number =>
  feature < pairs ? pairShare : runShare;

/** Positive examples are few: each has a higher weight, up to this. */
const maxPositiveWeight = 12;

export function positiveWeightsOf(examples: readonly Example[]): number[] {
  return categories.map((category) => {
    const column = columnOf[category];
    let positives = 0;
    let negatives = 0;
    for (const { labels, weight } of examples) {
      if (labels[column] === 1) positives += weight;
      if (labels[column] === 0) negatives += weight;
    }
    return Math.min(maxPositiveWeight, Math.max(1, (0.3 * negatives) / positives));
  });
}

/** Numbers from 0 in a fixed mixed order. */
export function shuffled(length: number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i);
  let state = 12345;
  for (let i = length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}
