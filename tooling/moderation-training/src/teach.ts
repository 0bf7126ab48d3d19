// Makes teacher.bin from sentences.bin: `node src/teach.ts FOLDER`. Only this step needs a sentence model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { categories } from '@modelwire/engine-moderation/testing';
import { training } from './data.ts';
import type { Example } from './examples.ts';
import { auc } from './measures.ts';
import { part } from './parts.ts';
import { writeTeacher } from './teacher.ts';
import { positiveWeightsOf, shuffled } from './training.ts';

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const size = categories.length;

const all = training(data);
const { examples, sentences, length } = embedded(all);
const trainingRows = examples.flatMap((example, row) => (part(example.text) === 0 ? [] : [row]));
const heads = taught();
const logits = new Float32Array(examples.length * size);
examples.forEach((_, row) => {
  for (let column = 0; column < size; column++) logits[row * size + column] = sumOf(row, column);
});
categories.forEach((category, column) => {
  const scoredExamples = examples.flatMap(({ labels, text }, row) =>
    part(text) === 0 && (labels[column] ?? -1) >= 0
      ? [{ score: logits[row * size + column] ?? 0, shows: labels[column] === 1 }]
      : [],
  );
  console.log(`${category} | ${auc(scoredExamples).toFixed(3)} on the tenth that is not learned from`);
});
writeTeacher(
  examples.map(({ text }) => text),
  logits,
);

/** The examples with a sentence embedding, and the embeddings with a constant 1 appended. */
function embedded(from: readonly Example[]): { examples: Example[]; sentences: Float32Array; length: number } {
  const bytes = readFileSync(join(data, 'sentences.bin'));
  const end = bytes.indexOf(10);
  const { texts, rows } = JSON.parse(bytes.toString('utf8', 0, end)) as { texts: number; rows: number[] };
  if (texts !== from.length) throw new Error('sentences.bin is of other texts: run texts.ts and sentences.py again');
  const numbers = new Float16Array(bytes.buffer.slice(bytes.byteOffset + end + 1, bytes.byteOffset + bytes.length));
  const each = numbers.length / rows.length;
  const wide = new Float32Array(rows.length * (each + 1)).fill(1);
  // Unit vectors have small components: scales them so that they are learned as fast as the constant.
  rows.forEach((_, row) => {
    for (let i = 0; i < each; i++) wide[row * (each + 1) + i] = 4 * (numbers[row * each + i] ?? 0);
  });
  return { examples: rows.flatMap((row) => from[row] ?? []), sentences: wide, length: each + 1 };
}

function sumOf(row: number, column: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (sentences[row * length + i] ?? 0) * (heads[column * length + i] ?? 0);
  return sum;
}

/** Logistic regression for each category with AdaGrad; averages the weights of the last epochs. */
function taught(): Float32Array {
  const [epochs, averaged, rate, decay] = [12, 6, 0.08, 1e-4];
  const positiveWeights = positiveWeightsOf(trainingRows.flatMap((row) => examples[row] ?? []));
  const weights = new Float32Array(size * length);
  const squares = new Float32Array(size * length).fill(1e-2);
  const mean = new Float32Array(size * length);
  const order = shuffled(trainingRows.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const place of order) {
      const row = trainingRows[place] ?? 0;
      const { labels, weight } = examples[row] as Example;
      for (let column = 0; column < size; column++) {
        const label = labels[column] ?? -1;
        if (label < 0) continue;
        let sum = 0;
        for (let i = 0; i < length; i++)
          sum += (sentences[row * length + i] ?? 0) * (weights[column * length + i] ?? 0);
        const error = (1 / (1 + Math.exp(-sum)) - label) * weight * (label === 1 ? (positiveWeights[column] ?? 1) : 1);
        for (let i = 0; i < length; i++) {
          const at = column * length + i;
          const slope = error * (sentences[row * length + i] ?? 0) + decay * (weights[at] ?? 0);
          const square = (squares[at] ?? 0) + slope * slope;
          squares[at] = square;
          weights[at] = (weights[at] ?? 0) - (rate * slope) / Math.sqrt(square);
        }
      }
    }
    if (epoch >= epochs - averaged)
      for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] ?? 0) + (weights[at] ?? 0) / averaged;
  }
  return mean;
}
