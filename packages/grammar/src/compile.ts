import type { Budget } from './budget.ts';
import type { Grammar } from './grammar.ts';
import { createStart } from './matcher/state.ts';
import { buildNetwork } from './network/build.ts';
import type { RuleDraft } from './network/build.ts';
import { removeLeftRecursion } from './network/left-recursion.ts';
import { createMachine } from './network/machine.ts';

/** Rules become a grammar: the last steps are the same whatever the rules were written in. */
export function compileRules(rules: readonly RuleDraft[], startRule: number, budget: Budget): Grammar {
  const network = buildNetwork(rules, startRule, budget);
  removeLeftRecursion(network, budget);
  const start = createStart(createMachine(network, budget));
  return { start: () => start, cost: budget.spent() };
}
