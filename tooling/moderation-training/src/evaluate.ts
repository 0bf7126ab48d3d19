// Measures the weights on sets outside the training: `node src/evaluate.ts FOLDER [development]`.
import { categories, columnOf, loadWeights, scores, type Category } from '@modelwire/engine-moderation/testing';
import { training } from './data.ts';
import { development, heldOut, type HeldOut } from './held-out.ts';
import { measure } from './measures.ts';
import { unlike } from './parts.ts';

const [data = '/tmp/moderation-data', selection = 'report'] = process.argv.slice(2);
const loaded = await loadWeights();
const trainingTexts = training(data).map(({ text }) => text);
for (const { name, texts } of selection === 'development' ? development(data) : heldOut(data))
  // Sets quote each other: texts seen in training are excluded.
  report({ name, texts: selection === 'development' ? texts : unlike(texts, trainingTexts, ({ text }) => text) });

function report({ name, texts }: HeldOut): void {
  const scored = texts.map(({ text, shows }) => ({ shows, scores: scores(text, loaded) }));
  for (const category of [...categories, 'any'] as const) {
    const scoredExamples = scored.flatMap((one) => {
      const shows = one.shows[category];
      return shows === undefined
        ? []
        : [{ shows, score: category === 'any' ? worst(one.scores) : (one.scores[columnOf[category]] ?? 0) }];
    });
    if (scoredExamples.length === 0) continue;
    const { auc, precision, recall, positives, negatives } = measure(
      scoredExamples,
      category === 'any' ? 1 : threshold(category),
    );
    const show = (value: number) => (Number.isNaN(value) ? '  -  ' : value.toFixed(3));
    console.log(
      `${name} | ${category} | ${positives} | ${negatives} | ${show(auc)} | ${show(precision)} | ${show(recall)}`,
    );
  }
}

function threshold(category: Category): number {
  return loaded.columns[columnOf[category]]?.threshold ?? 1;
}

/** The closest category to its threshold: 1 and more is flagged. */
function worst(all: Float64Array): number {
  return Math.max(...categories.map((category) => (all[columnOf[category]] ?? 0) / threshold(category)));
}
