// Helps to choose the numbers of thresholds.ts: `node src/choose.ts FOLDER`, after training.
import {
  categories,
  columnOf,
  loadWeights,
  logits,
  readWindow,
  removeInvisible,
  windows,
} from '@modelwire/engine-moderation/testing';
import { training } from './data.ts';
import { part } from './parts.ts';
import { blindSentences, ordinarySentences } from './ordinary-sentences.ts';

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const loaded = await loadWeights();
const work = { steps: 0 };

interface WindowScores {
  readonly logits: Float64Array;
  readonly points: Float64Array;
}

const scoreText = (text: string): WindowScores[] =>
  [...windows(removeInvisible(text), work)].slice(0, 4).map((window) => {
    const reading = readWindow(window, loaded.vocabulary, work);
    return { logits: logits(reading, loaded), points: reading.points };
  });

const score = (windows: readonly WindowScores[], column: number, doubt: number): number => {
  const { slope = 0, shift = 0 } = loaded.columns[column] ?? {};
  return Math.max(
    ...windows.map(({ logits, points }) => {
      const penalty = (points[column] ?? 0) < 2.5 ? doubt : 0;
      return 1 / (1 + Math.exp(penalty - slope * (logits[column] ?? 0) - shift));
    }),
  );
};

// The tenth for calibration; sentences written for this package are too easy.
const calibrationExamples = training(data)
  .filter(({ text, from }) => part(text) === 0 && from !== 'written' && from !== 'profanity')
  .map((example) => ({ ...example, windowScores: scoreText(example.text) }));
const ordinary = [...ordinarySentences, ...blindSentences].map(scoreText);

for (const category of categories) {
  const column = columnOf[category];
  const known = calibrationExamples.filter(({ labels }) => (labels[column] ?? -1) >= 0);
  const positiveWeight = known
    .filter(({ labels }) => labels[column] === 1)
    .reduce((sum, { weight }) => sum + weight, 0);
  for (const doubt of [0, 0.5, 1, 1.5, 2, 3]) {
    const sorted = known
      .map(({ windowScores, labels, weight }) => ({
        value: score(windowScores, column, doubt),
        shows: labels[column] === 1,
        weight,
      }))
      .sort((a, b) => b.value - a.value);
    const highest = ordinary.map((one) => score(one, column, doubt)).sort((a, b) => b - a);
    let truePositiveWeight = 0;
    let all = 0;
    let [threshold, recall] = [1, 0];
    for (const { value, shows, weight } of sorted) {
      all += weight;
      if (shows) truePositiveWeight += weight;
      if (truePositiveWeight / all >= 0.7) [threshold, recall] = [value, truePositiveWeight / positiveWeight];
    }
    const at = [0.3, 0.4, 0.5, 0.6, 0.7].map((minScore) => {
      const flagged = sorted.filter(({ value }) => value >= minScore);
      const sum = (list: typeof sorted) => list.reduce((total, { weight }) => total + weight, 0);
      const found = sum(flagged.filter(({ shows }) => shows));
      return `${minScore}: ${(found / sum(flagged)).toFixed(2)} ${(found / positiveWeight).toFixed(2)}`;
    });
    const show = (value: number | undefined) => (value ?? 0).toFixed(3);
    console.log(
      `${category} | doubt ${doubt} | precision 0.7 from ${show(threshold)}, recall ${show(recall)} | ordinary ${highest.slice(0, 3).map(show).join(' ')} | precision and recall from ${at.join(', ')}`,
    );
  }
}
