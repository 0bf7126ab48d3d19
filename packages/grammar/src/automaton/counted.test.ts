import { expect, it } from 'vitest';
import { createRandom } from '../../test/random.ts';
import { createBudget } from '../budget.ts';
import { jsonSequences } from '../json/text.ts';
import { parsePattern } from '../pattern/parse.ts';
import { chars } from '../pattern/pattern.ts';
import { ANYTHING } from './char-set.ts';
import { countedDfa, limitedDfa } from './counted.ts';
import { compilePattern } from './determinize.ts';
import { matchesDfa, withFewestClasses } from './dfa.ts';
import type { Dfa } from './dfa.ts';
import { runSteps } from '../steps.ts';

const budget = createBudget({ maxMs: Infinity, maxStates: Infinity });
const character = withFewestClasses(compilePattern(chars(ANYTHING), budget, jsonSequences));
const pattern = (source: string): Dfa => compilePattern(parsePattern(source, 'ecma'), budget, jsonSequences);
const withoutQuotes = (text: string): string => JSON.stringify(text).slice(1, -1);

it.each([
  ['[ab]*', 0, 3],
  ['(a|bé)*', 2, 5],
  ['a?b?é?', 0, 3],
  ['a?b?é?', 1, 2],
  ['a?b?é?', 2, Infinity],
  ['a{0,4}(b|"é)*', 3, 6],
  ['(ab"?){2,9}', 5, 7],
  ['(a|é{3})?', 0, 0],
  ['(\n|a){1,3}b*', 4, Infinity],
])('restricts %s to texts of %d to %d characters', (source, min, max) => {
  const limited = runSteps(limitedDfa(pattern(source), character, min, max, budget));
  const length = countedDfa(character, min, max, budget);
  const reference = new RegExp(`^(?:${source})$`, 'u');
  const random = createRandom(1);
  for (let i = 0; i < 3000; i++) {
    const text = Array.from({ length: random.int(9) }, () => random.pick(['a', 'a', 'b', 'é', '"', '\n'])).join('');
    const count = Array.from(text).length;
    const hasValidLength = count >= min && count <= max;
    expect([text, matchesDfa(length, withoutQuotes(text))]).toEqual([text, hasValidLength]);
    expect([text, matchesDfa(limited, withoutQuotes(text))]).toEqual([text, hasValidLength && reference.test(text)]);
  }
});

it('computes the distance from each state to an accepting state', () => {
  for (const [min, max] of [
    [0, 3],
    [2, 3],
    [2, Infinity],
    [0, 0],
  ] as const) {
    const { distance, accepting, table, width } = countedDfa(character, min, max, budget);
    accepting.forEach((accepts, state) => {
      const targets = Array.from(table.subarray(state * width, (state + 1) * width)).filter((next) => next >= 0);
      const minDistance = Math.min(...targets.map((next) => distance[next] ?? 0));
      expect(distance[state]).toBe(accepts === 1 ? 0 : targets.length === 0 ? -1 : minDistance + 1);
    });
  }
});

it('has no counting states where every possible length is allowed', () => {
  const all = pattern('[a-z]{1,40}@[a-z]{1,40}');
  expect(runSteps(limitedDfa(all, character, 0, 81, budget))).toBe(all);
  expect(runSteps(limitedDfa(all, character, 3, 5000, budget)).accepting.length).toBeLessThan(2 * all.accepting.length);
});
