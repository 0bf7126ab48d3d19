import type { Budget } from './budget.ts';
import type { GrammarError } from './errors.ts';
import type { Grammar } from './grammar.ts';
import { createStart } from './matcher/state.ts';
import { buildNetwork } from './network/build.ts';
import type { RuleDefinition } from './network/build.ts';
import type { Steps } from './steps.ts';
import { leftRecursiveGroups, removeLeftRecursion } from './network/left-recursion.ts';
import { createMachine } from './network/machine.ts';

/**
 * Builds a grammar from rules of any source language. Rewrites left-recursive rules, or throws `leftRecursionError` for the first one.
 */
export function* compileRules(
  rules: readonly RuleDefinition[],
  startRule: number,
  budget: Budget,
  leftRecursionError?: (name: string) => GrammarError,
): Steps<Grammar> {
  yield;
  const network = buildNetwork(rules, startRule, budget);
  yield;
  const first = leftRecursiveGroups(network, budget)[0]?.[0];
  if (first !== undefined) {
    if (leftRecursionError) throw leftRecursionError(rules[first]?.name ?? '');
    removeLeftRecursion(network, budget);
  }
  yield;
  const start = yield* createStart(createMachine(network, budget), budget);
  return { start: () => start, cost: budget.cost() };
}
