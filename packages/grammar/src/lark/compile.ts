import { charRange, charsOf } from '../automaton/char-set.ts';
import { compilePatternSteps } from '../automaton/determinize.ts';
import { requireNonEmpty } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { createBudget, withinBudget } from '../budget.ts';
import type { Budget, Limits } from '../budget.ts';
import { compileRules } from '../compile.ts';
import { GrammarError, withPosition } from '../errors.ts';
import type { Grammar } from '../grammar.ts';
import { SteppedTerminal } from '../network/lazy-terminal.ts';
import { call, choice, repetition, sequence, terminal } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import { foldCase } from '../pattern/fold.ts';
import { parsePattern } from '../pattern/parse.ts';
import { alt, chars, repeat, seq } from '../pattern/pattern.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { Expression, LarkGrammar } from './definition.ts';
import type { SourcePosition } from './lexer.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { parseLark } from './parse.ts';

/**
 * Compiles a Lark grammar (API: `custom.format.grammar` of tools, with `syntax: lark`). Texts are derived from its rule `start`. Every
 * derivation is allowed: terminals have no longest match. The README describes the supported subset.
 * @throws {GrammarError} with the `line` and `column` of what is invalid or not supported.
 */
export function compileLark(definition: string, limits: Limits = {}): Grammar {
  return runSteps(compileLarkSteps(definition, limits));
}

/** Like `compileLark`, in steps. */
export function compileLarkSteps(definition: string, limits: Limits = {}): Steps<Grammar> {
  return withinBudget(createBudget(limits), (budget) => compileWithin(definition, budget));
}

function* compileWithin(definition: string, budget: Budget): Steps<Grammar> {
  const grammar = parseLark(definition);
  const start = grammar.rules.get('start');
  if (!start)
    throw new GrammarError('syntax', 'the rule "start" is missing: every text is derived from it', {
      line: 1,
      column: 1,
    });
  try {
    const ruleIndices = new Map([...grammar.rules.keys()].map((name, index) => [name, index]));
    const terminals = new Map<string, SteppedTerminal>();
    const patterns = new Map<string, Pattern>();
    const dfaOf = function* (expression: Expression): Steps<Dfa> {
      try {
        const pattern = patternOf(expression, grammar, [], patterns);
        return requireNonEmpty(yield* compilePatternSteps(pattern, budget), 'this terminal');
      } catch (error) {
        throw withPosition(error, { line: expression.line, column: expression.column });
      }
    };
    const terminalOf = (expression: Expression): Node => {
      const key = keyOf(expression);
      let source = terminals.get(key);
      if (source === undefined) {
        source = new SteppedTerminal(() => dfaOf(expression));
        terminals.set(key, source);
      }
      return terminal(source);
    };
    const ignoredTerminals = grammar.ignored.map((expression) => terminalOf(expression));
    const ignoredText = ignoredTerminals.length === 0 ? sequence() : repetition(choice(...ignoredTerminals), 0);

    const nodeOf = (expression: Expression): Node => {
      switch (expression.kind) {
        case 'alt':
          return choice(...expression.items.map(nodeOf));
        case 'seq':
          return sequence(...expression.items.map(nodeOf));
        case 'repeat':
          return repetition(nodeOf(expression.item), expression.min, expression.max);
        case 'name': {
          if (expression.terminal) break;
          const rule = ruleIndices.get(expression.name);
          if (rule === undefined) throw unknownName(expression.name, expression);
          return call(rule);
        }
        default:
      }
      const node = terminalOf(expression);
      return ignoredTerminals.length === 0 ? node : sequence(node, ignoredText);
    };
    const rules = [...grammar.rules.values()].map(({ name, expression }) => ({ name, node: nodeOf(expression) }));
    rules.push({ name: 'start', node: sequence(ignoredText, call(ruleIndices.get('start') ?? 0)) });
    for (const source of terminals.values()) {
      yield* source.prepare();
      if (budget.isPauseDue()) yield;
    }
    return yield* compileRules(rules, rules.length - 1, budget);
  } catch (error) {
    throw withPosition(error, { line: start.line, column: start.column });
  }
}

/** A key that is the same for equal expressions, which share an automaton. */
function keyOf(expression: Expression): string {
  switch (expression.kind) {
    case 'string':
      return `${expression.ignoreCase ? 'i' : 's'}${JSON.stringify(expression.text)}`;
    case 'regex': {
      const { source, ignoreCase, dotAll } = expression;
      return `/${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${JSON.stringify(source)}`;
    }
    case 'range':
      return `..${JSON.stringify([expression.from, expression.to])}`;
    case 'name':
      return `${expression.terminal ? 'T' : 'r'}${expression.name}`;
    case 'repeat':
      return `(${keyOf(expression.item)})~${expression.min}..${expression.max}`;
    default:
      return `${expression.kind}(${expression.items.map(keyOf).join(',')})`;
  }
}

const MAX_NESTING = 200;

function unknownName(name: string, { line, column }: SourcePosition): GrammarError {
  return new GrammarError('syntax', `"${name}" is not defined`, { line, column });
}

/** Converts the expression of a terminal, which can contain other terminals, but neither itself nor rules. */
function patternOf(
  expression: Expression,
  grammar: LarkGrammar,
  within: readonly string[],
  known: Map<string, Pattern>,
): Pattern {
  const position = { line: expression.line, column: expression.column };
  const inner = (item: Expression): Pattern => patternOf(item, grammar, within, known);
  switch (expression.kind) {
    case 'alt':
      return alt(...expression.items.map(inner));
    case 'seq':
      return seq(...expression.items.map(inner));
    case 'repeat':
      return repeat(inner(expression.item), expression.min, expression.max);
    case 'range':
      return chars(charRange(expression.from.codePointAt(0) ?? 0, expression.to.codePointAt(0) ?? 0));
    case 'string':
      return seq(...Array.from(expression.text, (char) => character(char, expression.ignoreCase, position)));
    case 'regex':
      return regexPattern(expression.source, expression, position);
    case 'name': {
      const { name } = expression;
      if (!expression.terminal) {
        throw new GrammarError(
          'syntax',
          `the rule "${name}" cannot be part of a terminal; make it a terminal too`,
          position,
        );
      }
      const definition = grammar.terminals.get(name);
      if (!definition) throw unknownName(name, position);
      if (within.length > MAX_NESTING) {
        throw new GrammarError('limit', `terminals can be nested at most ${MAX_NESTING} levels deep`, position);
      }
      if (within.includes(name)) {
        throw new GrammarError('unsupported', `the terminal "${name}" contains itself; make it a rule`, position);
      }
      let pattern = known.get(name);
      if (pattern === undefined) {
        pattern = patternOf(definition.expression, grammar, [...within, name], known);
        known.set(name, pattern);
      }
      return pattern;
    }
  }
}

function character(char: string, ignoreCase: boolean, position: SourcePosition): Pattern {
  const set = charsOf(char);
  const folded = ignoreCase ? foldCase(set) : set;
  if (folded !== undefined) return chars(folded);
  const reason = 'ignoring case is supported only for ASCII letters: write both cases of other letters';
  throw new GrammarError('unsupported', reason, position);
}

function regexPattern(
  source: string,
  flags: { ignoreCase: boolean; dotAll: boolean },
  position: SourcePosition,
): Pattern {
  let pattern: Pattern;
  try {
    pattern = parsePattern(source, 'rust', flags);
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    // The column of the error counts from the start of the expression, which follows its opening slash.
    throw new GrammarError(error.code, error.reason, { ...position, column: position.column + (error.column ?? 1) });
  }
  if (!hasAnchor(pattern)) return pattern;
  const reason = 'anchors are not supported in terminals: a terminal always matches as a whole';
  throw new GrammarError('unsupported', reason, position);
}

function hasAnchor(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'start':
    case 'end':
      return true;
    case 'seq':
    case 'alt':
      return pattern.items.some(hasAnchor);
    case 'repeat':
      return hasAnchor(pattern.item);
    default:
      return false;
  }
}
