// Prints the tables of the README of engine-moderation, on the held-out sets: `node src/evaluate.ts FOLDER`.
import { categories, columnOf, harmOf, thresholds, type Category } from '@modelwire/engine-moderation/testing';
import {
  auc,
  decidingSets,
  flaggedShare,
  leastRecall,
  positivesOf,
  recallOf,
  scoredHeldOut,
  thresholdFor,
  type ScoredText,
} from './measures.ts';

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const texts = await scoredHeldOut(data);
const halves = [0, 1].map((half) => texts.filter((one) => one.half === half));
const harmless = texts.filter(({ isHarmless }) => isHarmless === true);
const judged = categories.filter((category) => thresholds[category] !== undefined);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The logit of a category in a harmful text. */
const logitOf = ({ logits }: ScoredText, category: Category): number =>
  harmOf(logits) >= 0 ? (logits[columnOf[category]] ?? 0) : -Infinity;
const isFlaggedAs = (one: ScoredText, category: Category): boolean =>
  logitOf(one, category) >= (thresholds[category] ?? Infinity);
const isFlagged = (one: ScoredText): boolean => judged.some((category) => isFlaggedAs(one, category));

for (const category of categories) {
  const positives = positivesOf(texts, category);
  if (positives.length === 0) {
    console.log(`| ${category} | 0 | | | | |`);
    continue;
  }
  const separation = auc([
    ...positives.map(({ text }) => ({ score: text.logits[columnOf[category]] ?? 0, shows: true })),
    ...harmless.map(({ logits }) => ({ score: logits[columnOf[category]] ?? 0, shows: false })),
  ]);
  const ofHalves = halves.map((half) => positivesOf(half, category));
  const recalls = ofHalves.map((half) => recallOf(half, (one) => isFlaggedAs(one, category)).toFixed(2));
  // With the threshold that the other half alone would choose.
  const unseen = ofHalves.map((half, at) => {
    const threshold = thresholdFor(ofHalves[1 - at] ?? [], leastRecall, (one) => logitOf(one, category));
    return recallOf(half, (one) => logitOf(one, category) >= threshold && harmOf(one.logits) >= 0).toFixed(2);
  });
  const inHarmless = flaggedShare(decidingSets(texts), (one) => isFlaggedAs(one, category));
  const bySet = [...Map.groupBy(positives, ({ text }) => text.set)].map(([set, some]) => {
    const found = some.filter(({ text }) => isFlaggedAs(text, category)).length;
    return `${set} ${(found / some.length).toFixed(2)} (${some.length})`;
  });
  console.log(
    `| ${category} | ${positives.length} | ${separation.toFixed(3)} | ${judged.includes(category) ? recalls.join(', ') : 'not judged'} | ${unseen.join(', ')} | ${percent(inHarmless)} | ${bySet.join(', ')} |`,
  );
}
for (const [set, some] of Map.groupBy(harmless, ({ set: name }) => name))
  console.log(`| ${set} | ${some.length} | ${percent(some.filter(isFlagged).length / some.length)} |`);
console.log(`each half: ${halves.map((half) => percent(flaggedShare(decidingSets(half), isFlagged))).join(', ')}`);

// How often the texts of a category (rows) are flagged in each judged category (columns).
console.log(`| | ${judged.join(' | ')} |`);
for (const category of categories) {
  const positives = positivesOf(texts, category);
  if (positives.length === 0) continue;
  const shares = judged.map((other) => recallOf(positives, (one) => isFlaggedAs(one, other)).toFixed(2));
  console.log(`| ${category} | ${shares.join(' | ')} |`);
}
