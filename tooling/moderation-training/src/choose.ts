// Prints thresholds.ts of the engine, chosen on one half of the held-out sets: `node src/choose.ts FOLDER`, after training.
import { categories, columnOf, loadWeights, type Category } from '@modelwire/engine-moderation/testing';
import { flaggedShare, positivesOf, recallOf, scoredHeldOut, type Thresholds } from './measures.ts';

/** More than 0.75, which the other half is to reach. */
const recall = 0.79;
/** The distance of a threshold to the bias. */
const leastEvidence = 0.25;
/** Of harmless texts. */
const mostFlagged = 0.03;

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const texts = await scoredHeldOut(data, 'selection');

const { columns } = await loadWeights();
const biasOf = (category: Category): number => columns[columnOf[category]]?.bias ?? 0;
const harmless = texts.filter(({ isHarmless }) => isHarmless === true);

/**
 * The highest threshold with the recall, of each category that has texts to measure it. Not one that flags a text without any known word,
 * whose logit is the bias.
 */
const candidates = categories.flatMap((category) => {
  const positives = positivesOf(texts, category);
  const threshold = positives
    .map(({ logit }) => logit)
    .sort((a, b) => b - a)
    .find((logit) => recallOf(positives, logit) >= recall);
  return threshold === undefined || threshold < biasOf(category) + leastEvidence ? [] : [{ category, threshold }];
});

/** The most categories that together flag few enough harmless texts; of those, the ones that flag the fewest. */
function chosen(): Thresholds {
  let best: { readonly thresholds: Thresholds; readonly count: number; readonly share: number } | undefined;
  for (let subset = 0; subset < 1 << candidates.length; subset++) {
    const some = candidates.filter((_, index) => (subset >> index) & 1);
    if (some.length < (best?.count ?? 0)) continue;
    const thresholds = Object.fromEntries(some.map(({ category, threshold }) => [category, threshold]));
    const share = flaggedShare(harmless, thresholds);
    if (share > mostFlagged || (some.length === best?.count && share >= best.share)) continue;
    best = { thresholds, count: some.length, share };
  }
  return best?.thresholds ?? {};
}

for (const { category, threshold } of candidates) {
  const alone = flaggedShare(harmless, { [category]: threshold } satisfies Partial<Record<Category, number>>);
  console.log(`// ${category}: ${threshold.toFixed(2)} flags ${(100 * alone).toFixed(1)} % of harmless texts`);
}
for (const [category, threshold] of Object.entries(chosen())) {
  // Rounded down, so that the text at the threshold is still flagged.
  console.log(`  '${category}': ${(Math.floor(threshold * 1000) / 1000).toString()},`);
}
