import { isMark } from './words.ts';
import type { Classes } from './lexicon.ts';
import type { Work } from './work.ts';

/**
 * A pattern is a line of steps: `kill|stab` one of these words, `@weapon` a word of that class, a `?` after a step makes it
 * optional, `*3` skips up to three words of the same sentence.
 */
interface Pattern<Value> {
  readonly steps: readonly Step[];
  readonly value: Value;
}

type Step =
  | { readonly kind: 'one'; readonly among: ReadonlySet<string>; readonly optional: boolean }
  | { readonly kind: 'gap'; readonly most: number };

/** Patterns by their first words: only patterns whose first word occurs are tried. */
export type PatternIndex<Value> = ReadonlyMap<string, readonly Pattern<Value>[]>;

export function indexOf<Value>(
  lines: readonly (readonly [line: string, value: Value])[],
  classes: Classes,
): PatternIndex<Value> {
  const index = new Map<string, Pattern<Value>[]>();
  for (const [line, value] of lines) {
    const pattern = { steps: line.split(' ').map((step) => stepOf(step, classes)), value };
    const [first] = pattern.steps;
    if (first?.kind !== 'one' || first.optional) throw new TypeError(`A pattern starts with a word: ${line}`);
    for (const word of first.among) {
      const list = index.get(word);
      if (list === undefined) index.set(word, [pattern]);
      else list.push(pattern);
    }
  }
  return index;
}

function stepOf(step: string, classes: Classes): Step {
  if (step.startsWith('*')) return { kind: 'gap', most: Number(step.slice(1)) };
  const optional = step.endsWith('?');
  const among = (optional ? step.slice(0, -1) : step).split('|').flatMap((name) => {
    if (!name.startsWith('@')) return [name];
    const named = classes[name.slice(1)];
    if (named === undefined) throw new TypeError(`No class ${name}`);
    return [...named];
  });
  return { kind: 'one', among: new Set(among), optional };
}

export interface Match<Value> {
  readonly value: Value;
  readonly from: number;
  /** The index after the last word. */
  readonly to: number;
}

/** All matches, at most one of each pattern for each start. */
export function matches<Value>(words: readonly string[], index: PatternIndex<Value>, work: Work): Match<Value>[] {
  const found: Match<Value>[] = [];
  words.forEach((word, from) => {
    for (const { steps, value } of index.get(word) ?? []) {
      const to = follow(words, from, steps, 0, work);
      if (to !== undefined) found.push({ value, from, to });
    }
  });
  return found;
}

/** Patterns are short with small gaps, so the number of ways to match is bounded for any text. */
function follow(
  words: readonly string[],
  at: number,
  steps: readonly Step[],
  next: number,
  work: Work,
): number | undefined {
  work.steps++;
  const step = steps[next];
  if (step === undefined) return at;
  if (step.kind === 'one') {
    const here = step.among.has(words[at] ?? '') ? follow(words, at + 1, steps, next + 1, work) : undefined;
    return here ?? (step.optional ? follow(words, at, steps, next + 1, work) : undefined);
  }
  const after = steps[next + 1];
  // Usually the word after a gap does not match, which is detected without another call.
  const sought = after?.kind === 'one' && !after.optional ? after.among : undefined;
  for (let skipped = 0; skipped <= step.most; skipped++) {
    const word = words[at + skipped];
    if (sought === undefined || sought.has(word ?? '')) {
      const end = follow(words, at + skipped, steps, next + 1, work);
      if (end !== undefined) return end;
    }
    if (word === undefined || (isMark(word) && word !== ',' && word !== '"')) return undefined;
  }
  return undefined;
}
