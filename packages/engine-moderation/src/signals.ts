import { categories, columnOf, subcategoryPairs } from './categories.ts';
import { classes } from './lexicon.ts';
import { matches } from './patterns.ts';
import { rules } from './rules.ts';
import type { Context, Rule } from './rules/rule.ts';
import { endsSentence } from './words.ts';
import type { Work } from './work.ts';

/** The remaining share of a rule's points in a context. */
const contextFactors: Readonly<Record<Context, number>> = {
  not: 0.15,
  fiction: 0.35,
  care: 0.25,
  report: 0.4,
  defence: 0.25,
  quote: 0.3,
};
/** Maximum points of rules for one category's logit. */
const maxPoints = 9;
/** A second rule of the same category counts less than the first. */
const secondRuleFactor = 0.25;

/** The points of the rules for the logit of each category, for the words of one window. */
export function rulePoints(words: readonly string[], work: Work): Float64Array {
  const points = new Float64Array(categories.length);
  const rest = new Float64Array(categories.length);
  const context = contextOf(words, work);
  for (const { value, from, to } of matches(words, rules, work)) {
    const reducedPoints = value.points * contextFactor(value, context, from, to, words);
    const column = columnOf[value.category];
    const strongest = points[column] ?? 0;
    rest[column] = (rest[column] ?? 0) + Math.min(reducedPoints, strongest);
    points[column] = Math.max(reducedPoints, strongest);
  }
  for (let column = 0; column < points.length; column++)
    points[column] = Math.min(maxPoints, (points[column] ?? 0) + secondRuleFactor * (rest[column] ?? 0));
  // Evidence for a subcategory is evidence for its parent.
  for (const [child, parent] of subcategoryPairs)
    points[columnOf[parent]] = Math.max(points[columnOf[parent]] ?? 0, points[columnOf[child]] ?? 0);
  return points;
}

interface WindowContext {
  readonly present: ReadonlySet<Context>;
  /** For each word, whether it is between quotation marks. */
  readonly quoted: Uint8Array;
  readonly isCondemned: boolean;
}

const windowContexts = ['fiction', 'care', 'report'] as const;

function contextOf(words: readonly string[], work: Work): WindowContext {
  const quoted = new Uint8Array(words.length);
  let quoteDepth = 0;
  words.forEach((word, at) => {
    if (word === '"') quoteDepth = 1 - quoteDepth;
    quoted[at] = quoteDepth;
  });
  work.steps += words.length;
  const has = (name: string) => words.some((word) => classes[name]?.has(word) === true);
  return {
    present: new Set(windowContexts.filter(has)),
    quoted,
    isCondemned: has('condemn') && (has('said') || words.includes('"')),
  };
}

function contextFactor(rule: Rule, context: WindowContext, from: number, to: number, words: readonly string[]): number {
  let factor = 1;
  for (const ruleContext of rule.contexts) {
    const applies =
      ruleContext === 'not'
        ? negated(words, from, to)
        : ruleContext === 'defence'
          ? near(words, from, to, 'defend')
          : ruleContext === 'quote'
            ? context.isCondemned || (context.quoted[from] === 1 && context.present.has('report'))
            : context.present.has(ruleContext);
    if (applies) factor = Math.min(factor, contextFactors[ruleContext]);
  }
  return factor;
}

/** How many words before a match a negation applies to. */
const negationReach = 3;

function negated(words: readonly string[], from: number, to: number): boolean {
  // "why don't you ..." urges.
  for (let at = from - 1; at >= 0 && at >= from - negationReach; at--) {
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
