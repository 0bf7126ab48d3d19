// Writes the weights: `node src/train.ts FOLDER`; README.md describes the folder.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  categories,
  columnOf,
  hashText,
  riskyWords,
  vocabularyOf,
  weightsFile,
  type Category,
  type Column,
} from '@modelwire/engine-moderation/testing';
import { csv } from './csv.ts';
import { training } from './data.ts';
import type { Example } from './examples.ts';
import { auc } from './measures.ts';
import { lexiconOf, packWeights, stepOf } from './packing.ts';
import { part } from './parts.ts';
import { readTeacher } from './teacher.ts';
import { fit, prepareExamples, worst, type PreparedExample } from './training.ts';
import { wordVectors } from './word-vectors.ts';

const [data = '/tmp/moderation-data', trial] = process.argv.slice(2);

const examples = training(data);
for (const [from, list] of Map.groupBy(examples, (example) => example.from)) console.log(`${from}: ${list.length}`);

const hashes = vocabularies(examples);
const vectors = wordVectors(join(data, 'word-vectors.bin'));
const seen = prepareExamples(examples, vocabularyOf(hashes.risky, hashes.common), vectors, readTeacher());
// One part in ten calibrates; a trial holds back more of the small sets to measure a change.
const checks = ({ example }: PreparedExample) => {
  const of = part(example.text);
  return of === 0 || (trial === 'trial' && example.from === 'openai' && of !== 2);
};
const checked = seen.filter(checks);
console.time('fit');
const fitted = fit(
  seen.filter((one) => !checks(one)),
  vectors.size,
);
console.timeEnd('fit');

const worsts = new Map(checked.map((one) => [one, worst(one, fitted)]));
const lexicon = lexiconOf(fitted, vectors);
const columns = Object.fromEntries(categories.map((category) => [category, columnFor(category)])) as Record<
  Category,
  Column
>;
const packed = packWeights(fitted.bucket, lexicon, columns, hashes);
if (trial !== 'trial') writeFileSync(weightsFile, packed);
console.log('bytes', packed.length);

function columnFor(category: Category): Column {
  const column = columnOf[category];
  const scoredExamples = checked.flatMap((one) => {
    const label = one.example.labels[column] ?? -1;
    if (label < 0) return [];
    const score = (worsts.get(one)?.[column] ?? 0) + (fitted.bias[column] ?? 0) + (one.points[column] ?? 0);
    return [{ from: one.example.from, score, shows: label === 1, weight: one.example.weight }];
  });
  const of = [...Map.groupBy(scoredExamples, ({ from }) => from)]
    .filter(([, list]) => list.some(({ shows }) => shows) && list.some(({ shows }) => !shows))
    .map(([from, list]) => `${from} ${auc(list).toFixed(3)} (${list.filter(({ shows }) => shows).length})`);
  console.log(`${category} | all ${auc(scoredExamples).toFixed(3)} | ${of.join(', ')}`);
  return {
    step: stepOf(fitted.bucket, column),
    wordStep: stepOf(lexicon.table, column),
    bias: fitted.bias[column] ?? 0,
    slope: slopeOf(scoredExamples),
  };
}

/** The slope of Platt scaling: a logistic regression on the logit alone. */
function slopeOf(scoredExamples: readonly { score: number; shows: boolean; weight: number }[]): number {
  let slope = 1;
  let shift = 0;
  for (let round = 0; round < 3000; round++) {
    let bySlope = 0;
    let byShift = 0;
    let total = 0;
    for (const { score, shows, weight } of scoredExamples) {
      const error = (1 / (1 + Math.exp(-(slope * score + shift))) - (shows ? 1 : 0)) * weight;
      bySlope += error * score;
      byShift += error;
      total += weight;
    }
    slope -= (0.3 * bySlope) / total;
    shift -= byShift / total;
  }
  return slope;
}

/** Words of ordinary text, and those to search for behind disguises. */
function vocabularies(all: readonly Example[]): { risky: number[]; common: number[] } {
  const terms = csv(join(data, 'profanity.csv')).flatMap(({ text = '', canonical_form_1 = '' }) => [
    text,
    canonical_form_1,
  ]);
  const risky = new Set([...riskyWords, ...terms.filter((term) => /^[a-z]{3,}$/.test(term))]);
  const counts = new Map<string, number>();
  for (const { text, labels, from } of all) {
    if (labels.includes(1) || from === 'profanity') continue;
    for (const word of new Set(text.toLowerCase().match(/[a-z']+/g) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const common = [...counts]
    .filter(([word, count]) => count >= 6 && word.length > 1 && !risky.has(word))
    .map(([word]) => word);
  const hashesOf = (list: Iterable<string>) =>
    [...new Set([...list].map((word) => hashText(word)))].sort((a, b) => a - b);
  return { risky: hashesOf(risky), common: hashesOf(common) };
}
