import { compilePatternSteps } from '../automaton/determinize.ts';
import { requireNonEmpty } from '../automaton/dfa.ts';
import { createBudget, withinBudget } from '../budget.ts';
import type { Budget, Limits } from '../budget.ts';
import { compileRules } from '../compile.ts';
import { withPosition } from '../errors.ts';
import type { Grammar } from '../grammar.ts';
import { builtTerminal } from '../network/lazy-terminal.ts';
import { terminal } from '../network/node.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { parsePattern } from './parse.ts';

/**
 * Compiles a regular expression (API: `custom.format.grammar` of tools, with `syntax: regex`). The whole text must match, as if the
 * expression were between `^` and `$`. The README describes the dialect.
 * @throws {GrammarError} with the `line` and `column` of what is invalid or not supported.
 */
export function compileRegex(source: string, limits: Limits = {}): Grammar {
  return runSteps(compileRegexSteps(source, limits));
}

/** Like `compileRegex`, in steps. */
export function compileRegexSteps(source: string, limits: Limits = {}): Steps<Grammar> {
  return withinBudget(createBudget(limits), (budget) => compileWithin(source, budget));
}

function* compileWithin(source: string, budget: Budget): Steps<Grammar> {
  try {
    const dfa = requireNonEmpty(yield* compilePatternSteps(parsePattern(source, 'rust'), budget), 'the expression');
    return yield* compileRules([{ name: 'expression', node: terminal(builtTerminal(dfa)) }], 0, budget);
  } catch (error) {
    throw withPosition(error, { line: 1, column: 1 });
  }
}
