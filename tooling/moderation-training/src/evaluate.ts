// Prints the tables of the README of engine-moderation, on the half of the held-out sets that chose nothing: `node src/evaluate.ts FOLDER`.
import { categories, columnOf, thresholds } from '@modelwire/engine-moderation/testing';
import { auc, flaggedShare, isFlagged, positivesOf, recallOf, scoredHeldOut } from './measures.ts';

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const texts = await scoredHeldOut(data, 'report');
const harmless = texts.filter(({ isHarmless }) => isHarmless === true);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

for (const category of categories) {
  const positives = positivesOf(texts, category);
  if (positives.length === 0) {
    console.log(`| ${category} | 0 | | | | |`);
    continue;
  }
  const threshold = thresholds[category];
  const recall = threshold === undefined ? undefined : recallOf(positives, threshold);
  const column = columnOf[category];
  const separation = auc([
    ...positives.map(({ logit }) => ({ score: logit, shows: true })),
    ...harmless.map(({ logits }) => ({ score: logits[column] ?? 0, shows: false })),
  ]);
  const [low, high] = recall === undefined ? ['', ''] : interval(recall, positives).map((bound) => bound.toFixed(2));
  const sets = [
    ...Map.groupBy(
      texts.filter(({ shows }) => shows[category] === true),
      ({ set }) => set,
    ),
  ].map(
    ([set, some]) =>
      `${set} ${
        threshold === undefined
          ? ''
          : recallOf(
              some.map(({ logits }) => ({ logit: logits[column] ?? 0, weight: 1 })),
              threshold,
            ).toFixed(2)
      } (${some.length})`,
  );
  const alone = threshold === undefined ? '' : percent(flaggedShare(texts, { [category]: threshold }));
  console.log(
    `| ${category} | ${positives.length} | ${separation.toFixed(3)} | ${recall?.toFixed(2) ?? 'not judged'} | ${low} to ${high} | ${alone} | ${sets.join(', ')} |`,
  );
}
for (const [set, some] of Map.groupBy(harmless, ({ set: name }) => name)) {
  const flagged = some.filter((one) => isFlagged(one, thresholds)).length;
  console.log(`| ${set} | ${some.length} | ${percent(flagged / some.length)} |`);
}
console.log(`mean ${percent(flaggedShare(texts, thresholds))}`);

/** The 95 % interval of a share (Wilson), with the number of examples that the weights leave. */
function interval(share: number, examples: readonly { readonly weight: number }[]): [low: number, high: number] {
  const n = examples.reduce((sum, { weight }) => sum + weight, 0);
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n);
  return [middle - half, middle + half];
}
