// Prints thresholds.ts of the engine, chosen on the held-out sets: `node src/choose.ts FOLDER`, after training.
import { categories, columnOf, harmColumn, type Category } from '@modelwire/engine-moderation/testing';
import { plainSets } from './held-out.ts';
import {
  decidingSets,
  flaggedShare,
  leastRecall,
  positivesOf,
  recallOf,
  scoredHeldOut,
  thresholdFor,
} from './measures.ts';
import type { ScoredText } from './measures.ts';

/** Of harmless texts, in any judged category. */
const mostFlagged = 0.03;
/** Of a category, in each half. */
const fewestTexts = 10;
/** The recalls of harm to try, in the texts of each category. Together they find more. */
const harmRecalls = [0.66, 0.68, 0.7, 0.72, 0.74, 0.76];

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const texts = await scoredHeldOut(data);
const halves = [0, 1].map((half) => texts.filter((one) => one.half === half));
const plain = [...plainSets].map((set) => texts.filter((one) => one.set === set));
/** The texts of each category, by half. */
const positives = new Map(categories.map((category) => [category, halves.map((half) => positivesOf(half, category))]));
const positivesIn = (category: Category) => positives.get(category) ?? [];
const known = categories.filter((category) => positivesIn(category).every(({ length }) => length >= fewestTexts));

const own = ({ logits }: ScoredText, category: Category): number => logits[columnOf[category]] ?? 0;
const withHarm = (one: ScoredText, category: Category): number => own(one, category) + (one.logits[harmColumn] ?? 0);

/** The highest threshold with a recall in both halves, rounded down so that the text at the threshold is still flagged. */
function thresholdOf(category: Category, recall: number, score: (one: ScoredText) => number): number {
  const highest = positivesIn(category).map((half) => thresholdFor(half, recall, score));
  return Math.floor(Math.min(...highest) * 1000) / 1000;
}

interface Choice {
  readonly harmThresholds: ReadonlyMap<Category, number>;
  readonly judged: readonly Category[];
  /** The least share of texts of a judged category that are harmful: what exceeds the recall separates categories from each other. */
  readonly leastHarmful: number;
  readonly share: number;
}

/** Every choice of categories that decide about harm, at one recall, with which few harmless texts are harmful. */
function* choices(recall: number): Generator<Choice> {
  const thresholds = known.map((category) => thresholdOf(category, recall, (one) => withHarm(one, category)));
  /** The categories that find harm in a text, as bits. */
  const foundIn = (one: ScoredText): number =>
    known.reduce(
      (bits, category, bit) => (withHarm(one, category) >= (thresholds[bit] ?? Infinity) ? bits | (1 << bit) : bits),
      0,
    );
  const harmless = halves.map((half) => decidingSets(half).map((set) => set.map(foundIn)));
  const plainTexts = plain.map((set) => [set.map(foundIn)]);
  const shown = known.map((category) =>
    positivesIn(category).map((half) => half.map(({ text, weight }) => ({ text: foundIn(text), weight }))),
  );
  for (let subset = 1; subset < 1 << known.length; subset++) {
    const isHarmful = (found: number): boolean => (found & subset) !== 0;
    const share = Math.max(...[...harmless, ...plainTexts].map((sets) => flaggedShare(sets, isHarmful)));
    if (share > mostFlagged) continue;
    const harmful = shown.map((ofHalves) => Math.min(...ofHalves.map((half) => recallOf(half, isHarmful))));
    const judged = known.filter((_, bit) => (harmful[bit] ?? 0) >= leastRecall);
    const leastHarmful = Math.min(...harmful.filter((share) => share >= leastRecall));
    const decide = known.flatMap((category, bit) =>
      (subset >> bit) & 1 ? [[category, thresholds[bit] ?? 0] as const] : [],
    );
    yield { harmThresholds: new Map(decide), judged, leastHarmful, share };
  }
}

/** The most judged categories; of those, the ones that are best separated. */
let best: Choice | undefined;
for (const recall of harmRecalls)
  for (const choice of choices(recall)) {
    const [count, least] = [best?.judged.length ?? 0, best?.leastHarmful ?? 0];
    if (choice.judged.length > count || (choice.judged.length === count && choice.leastHarmful > least)) best = choice;
  }
if (!best) throw new Error('No category can be judged.');

const { harmThresholds, judged, share } = best;
const isHarmful = (one: ScoredText): boolean =>
  [...harmThresholds].some(([category, threshold]) => withHarm(one, category) >= threshold);
const print = (name: string, thresholds: Iterable<readonly [Category, number]>): void => {
  console.log(`${name}:`);
  for (const [category, threshold] of thresholds) console.log(`  '${category}': ${threshold.toString()},`);
};
print('harmThresholds', harmThresholds);
print(
  'thresholds',
  judged.map((category) => [
    category,
    thresholdOf(category, leastRecall, (one) => (isHarmful(one) ? own(one, category) : -Infinity)),
  ]),
);
console.log(`at most ${(100 * share).toFixed(2)} % of harmless texts`);
