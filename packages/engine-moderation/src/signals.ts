import { categories, columnOf, lineage } from './categories.ts';
import { classes } from './lexicon.ts';
import { matches } from './patterns.ts';
import { rules } from './rules.ts';
import type { Frame, Rule } from './rules/rule.ts';
import { endsSentence } from './words.ts';
import type { Work } from './work.ts';

/** The remaining share of a rule's points in a frame. */
const left: Readonly<Record<Frame, number>> = {
  not: 0.15,
  fiction: 0.35,
  care: 0.25,
  report: 0.4,
  defence: 0.25,
  quote: 0.3,
};
/** Maximum points of rules for one category's logit. */
const most = 9;
/** A second rule of the same category counts less than the first. */
const second = 0.25;

/** The points of the rules for the logit of each category, for the words of one window. */
export function rulePoints(words: readonly string[], work: Work): Float64Array {
  const points = new Float64Array(categories.length);
  const rest = new Float64Array(categories.length);
  const frames = framesOf(words, work);
  for (const { value, from, to } of matches(words, rules, work)) {
    const given = value.points * weaken(value, frames, from, to, words);
    const column = columnOf[value.category];
    const strongest = points[column] ?? 0;
    rest[column] = (rest[column] ?? 0) + Math.min(given, strongest);
    points[column] = Math.max(given, strongest);
  }
  for (let column = 0; column < points.length; column++)
    points[column] = Math.min(most, (points[column] ?? 0) + second * (rest[column] ?? 0));
  // Evidence for a subcategory is evidence for its parent.
  for (const [child, parent] of lineage)
    points[columnOf[parent]] = Math.max(points[columnOf[parent]] ?? 0, points[columnOf[child]] ?? 0);
  return points;
}

interface Frames {
  readonly around: ReadonlySet<Frame>;
  /** For each word, whether it is between quotation marks. */
  readonly quoted: Uint8Array;
  readonly condemned: boolean;
}

const surroundings = ['fiction', 'care', 'report'] as const;

function framesOf(words: readonly string[], work: Work): Frames {
  const quoted = new Uint8Array(words.length);
  let inside = 0;
  words.forEach((word, at) => {
    if (word === '"') inside = 1 - inside;
    quoted[at] = inside;
  });
  work.steps += words.length;
  const has = (name: string) => words.some((word) => classes[name]?.has(word) === true);
  return {
    around: new Set(surroundings.filter(has)),
    quoted,
    condemned: has('condemn') && (has('said') || words.includes('"')),
  };
}

function weaken(rule: Rule, frames: Frames, from: number, to: number, words: readonly string[]): number {
  let factor = 1;
  for (const frame of rule.frames) {
    const holds =
      frame === 'not'
        ? negated(words, from, to)
        : frame === 'defence'
          ? near(words, from, to, 'defend')
          : frame === 'quote'
            ? frames.condemned || (frames.quoted[from] === 1 && frames.around.has('report'))
            : frames.around.has(frame);
    if (holds) factor = Math.min(factor, left[frame]);
  }
  return factor;
}

/** How many words before a match a negation applies to. */
const reach = 3;

function negated(words: readonly string[], from: number, to: number): boolean {
  // "why don't you ..." urges.
  for (let at = from - 1; at >= 0 && at >= from - reach; at--) {
    const word = words[at] ?? '';
    if (endsSentence(word) || word === ',') break;
    if (classes['not']?.has(word) === true) return words[at - 1] !== 'why';
  }
  for (let at = from + 1; at < to - 1; at++) {
    const word = words[at] ?? '';
    if (word === 'not' || word === 'never') return words[from] !== 'not';
  }
  return false;
}

function near(words: readonly string[], from: number, to: number, name: string): boolean {
  for (let at = Math.max(0, from - 4); at < to; at++) if (classes[name]?.has(words[at] ?? '') === true) return true;
  return false;
}
