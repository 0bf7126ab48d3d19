import { GrammarError } from '../errors.ts';
import { COMMON } from './imported-terminals.ts';
import type { Definition, Expression, LarkGrammar } from './definition.ts';
import { lexLark } from './lexer.ts';
import type { LarkToken, SourcePosition } from './lexer.ts';
import { parseString } from './string.ts';

const MAX_NESTING = 100;
const MAX_COUNT = 10_000;
const MAX_RULES = 3000;

/** The tokens and the current position. */
type Cursor = { readonly tokens: readonly LarkToken[]; at: number };

/** Parses a definition in the subset that the README describes. @throws GrammarError for everything else. */
export function parseLark(source: string): LarkGrammar {
  const cursor: Cursor = { tokens: lexLark(source), at: 0 };
  const grammar: LarkGrammar = { rules: new Map(), terminals: new Map(), ignored: [] };
  for (let token = peek(cursor); token.kind !== 'end'; token = peek(cursor)) {
    if (token.kind === 'newline') next(cursor);
    else if (token.kind === 'directive') parseDirective(cursor, grammar);
    else parseDefinition(cursor, grammar);
    if (grammar.rules.size + grammar.terminals.size > MAX_RULES) {
      throw new GrammarError('limit', `a grammar can have at most ${MAX_RULES} rules and terminals`, positionOf(token));
    }
  }
  return grammar;
}

function peek({ tokens, at }: Cursor, ahead = 0): LarkToken {
  const token = tokens[Math.min(at + ahead, tokens.length - 1)];
  if (token === undefined) throw new RangeError('no tokens');
  return token;
}

function next(cursor: Cursor): LarkToken {
  const token = peek(cursor);
  cursor.at++;
  return token;
}

function positionOf({ line, column }: SourcePosition): SourcePosition {
  return { line, column };
}

function isPunctuation(token: LarkToken, ...texts: readonly string[]): boolean {
  return token.kind === 'punctuation' && texts.includes(token.text);
}

/** Consumes the next token if it is the given punctuation. */
function skipPunctuation(cursor: Cursor, text: string): boolean {
  const isNext = isPunctuation(peek(cursor), text);
  if (isNext) cursor.at++;
  return isNext;
}

function errorAt(
  token: SourcePosition,
  reason: string,
  code: 'syntax' | 'unsupported' | 'limit' = 'syntax',
): GrammarError {
  return new GrammarError(code, reason, positionOf(token));
}

function endLine(cursor: Cursor): void {
  const token = next(cursor);
  if (token.kind !== 'newline') throw errorAt(token, `unexpected "${token.text}": expected the end of the line`);
}

function parseDefinition(cursor: Cursor, grammar: LarkGrammar): void {
  while (isPunctuation(peek(cursor), '?', '!')) next(cursor);
  const head = next(cursor);
  if (head.kind !== 'rule' && head.kind !== 'terminal') {
    throw errorAt(
      head,
      `"${head.text}" does not start a definition: write name: … for a rule or NAME: … for a terminal`,
    );
  }
  const mark = next(cursor);
  if (isPunctuation(mark, '.')) throw errorAt(mark, 'priorities are not supported: remove the number', 'unsupported');
  if (isPunctuation(mark, '{')) throw errorAt(mark, 'templates are not supported: expand the rule', 'unsupported');
  if (!isPunctuation(mark, ':')) throw errorAt(mark, `":" is missing after "${head.text}"`);
  const expression = parseChoices(cursor, 0);
  endLine(cursor);
  define(grammar, head.kind === 'terminal', { name: head.text, expression, ...positionOf(head) });
}

function define(grammar: LarkGrammar, terminal: boolean, definition: Definition): void {
  const into = terminal ? grammar.terminals : grammar.rules;
  const before = into.get(definition.name);
  if (before) throw errorAt(definition, `"${definition.name}" is already defined on line ${before.line}`);
  into.set(definition.name, definition);
}

function parseDirective(cursor: Cursor, grammar: LarkGrammar): void {
  const directive = next(cursor);
  if (directive.text === '%ignore') {
    grammar.ignored.push(parseChoices(cursor, 0));
    endLine(cursor);
    return;
  }
  if (directive.text !== '%import') {
    throw errorAt(
      directive,
      `${directive.text} is not supported: only %ignore and %import common.… are`,
      'unsupported',
    );
  }
  const module = next(cursor);
  if (module.text !== 'common') {
    throw errorAt(
      module,
      'only the terminals of "common" can be imported: define others in the grammar',
      'unsupported',
    );
  }
  if (isPunctuation(peek(cursor), '.')) {
    next(cursor);
    const name = next(cursor);
    importCommon(grammar, name, skipPunctuation(cursor, '->') ? next(cursor) : name);
  } else {
    if (!isPunctuation(next(cursor), '(')) throw errorAt(module, 'write %import common.NAME or %import common (A, B)');
    for (;;) {
      const name = next(cursor);
      importCommon(grammar, name, name);
      const after = next(cursor);
      if (isPunctuation(after, ')')) break;
      if (!isPunctuation(after, ',')) throw errorAt(after, 'write a list of imports as (A, B)');
    }
  }
  endLine(cursor);
}

function importCommon(grammar: LarkGrammar, name: LarkToken, alias: LarkToken): void {
  const source = COMMON.get(name.text);
  if (name.kind !== 'terminal' || source === undefined) {
    throw errorAt(
      name,
      `"${name.text}" is not a supported terminal of common; supported are ${[...COMMON.keys()].join(', ')}`,
      'unsupported',
    );
  }
  if (alias.kind !== 'terminal') throw errorAt(alias, 'the alias of an imported terminal must be in capital letters');
  const position = positionOf(name);
  const expression: Expression = { kind: 'regex', source, ignoreCase: false, dotAll: false, ...position };
  define(grammar, true, { name: alias.text, expression, ...position });
}

/** Parses alternatives. Line breaks are allowed before `|` and within groups. */
function parseChoices(cursor: Cursor, depth: number): Expression {
  const position = positionOf(peek(cursor));
  if (depth > MAX_NESTING) throw errorAt(position, `groups can be nested at most ${MAX_NESTING} levels deep`, 'limit');
  const items: Expression[] = [];
  for (;;) {
    items.push(parseSequence(cursor, depth));
    let ahead = 0;
    while (peek(cursor, ahead).kind === 'newline') ahead++;
    if (!isPunctuation(peek(cursor, ahead), '|')) break;
    cursor.at += ahead + 1;
  }
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: 'alt', items, ...position };
}

function parseSequence(cursor: Cursor, depth: number): Expression {
  const position = positionOf(peek(cursor));
  const items: Expression[] = [];
  for (;;) {
    const token = peek(cursor);
    if (token.kind === 'newline' && depth > 0) {
      next(cursor);
      continue;
    }
    if (token.kind === 'newline' || token.kind === 'end' || isPunctuation(token, '|', ')', ']')) break;
    if (isPunctuation(token, '->')) {
      // An alias names a node of a parse tree, which is not built.
      next(cursor);
      const name = next(cursor);
      if (name.kind !== 'rule' && name.kind !== 'terminal') throw errorAt(name, 'a name is missing after "->"');
      break;
    }
    items.push(parseRepeat(cursor, parseAtom(cursor, depth)));
  }
  return { kind: 'seq', items, ...position };
}

function parseRepeat(cursor: Cursor, item: Expression): Expression {
  const token = peek(cursor);
  const position = positionOf(token);
  if (isPunctuation(token, '?', '*', '+')) {
    next(cursor);
    if (isPunctuation(peek(cursor), '?', '*', '+', '~')) {
      throw errorAt(peek(cursor), 'a repetition cannot be repeated: put the first one in parentheses');
    }
    return {
      kind: 'repeat',
      item,
      min: token.text === '+' ? 1 : 0,
      max: token.text === '?' ? 1 : Infinity,
      ...position,
    };
  }
  if (isPunctuation(token, '{'))
    throw errorAt(token, 'write counts as ~2 or ~2..5; templates are not supported', 'unsupported');
  if (!isPunctuation(token, '~')) return item;
  next(cursor);
  const min = parseNumber(cursor);
  const max = skipPunctuation(cursor, '..') ? parseNumber(cursor) : min;
  if (min > max) throw errorAt(position, `the minimum of the count ~${min}..${max} is greater than its maximum`);
  return { kind: 'repeat', item, min, max, ...position };
}

function parseNumber(cursor: Cursor): number {
  const token = next(cursor);
  const value = Number(token.text);
  if (token.kind !== 'number' || value < 0) throw errorAt(token, 'a count must be an integer, as in ~2 or ~2..5');
  if (value > MAX_COUNT) throw errorAt(token, `a count can be at most ${MAX_COUNT}`, 'limit');
  return value;
}

function parseAtom(cursor: Cursor, depth: number): Expression {
  const token = next(cursor);
  const position = positionOf(token);
  switch (token.kind) {
    case 'rule':
    case 'terminal':
      if (isPunctuation(peek(cursor), '{'))
        throw errorAt(token, 'templates are not supported: expand the rule', 'unsupported');
      return { kind: 'name', name: token.text, terminal: token.kind === 'terminal', ...position };
    case 'string':
      return parseStringOrRange(cursor, token);
    case 'regex': {
      const other = Array.from(token.flags).find((flag) => !'isu'.includes(flag));
      if (other !== undefined)
        throw errorAt(token, `the flag "${other}" is not supported: only i and s are`, 'unsupported');
      const has = (flag: string): boolean => token.flags.includes(flag);
      return { kind: 'regex', source: token.text, ignoreCase: has('i'), dotAll: has('s'), ...position };
    }
    default:
  }
  if (isPunctuation(token, '(', '[')) {
    const close = token.text === '(' ? ')' : ']';
    const item = parseChoices(cursor, depth + 1);
    const end = next(cursor);
    if (!isPunctuation(end, close)) throw errorAt(token, `"${token.text}" is not closed: "${close}" is missing`);
    return close === ')' ? item : { kind: 'repeat', item, min: 0, max: 1, ...position };
  }
  if (isPunctuation(token, '<', '@', '&')) {
    throw errorAt(
      token,
      `"${token.text}" (tokens of a model, other grammars, intersections) is not supported`,
      'unsupported',
    );
  }
  throw errorAt(token, `unexpected "${token.text}"`);
}

function parseStringOrRange(cursor: Cursor, token: LarkToken): Expression {
  const position = positionOf(token);
  const text = parseString(token);
  if (!isPunctuation(peek(cursor), '..')) {
    if (token.flags !== '' && token.flags !== 'i') {
      throw errorAt(token, `a string cannot have the flag "${token.flags}": only i`, 'unsupported');
    }
    return { kind: 'string', text, ignoreCase: token.flags === 'i', ...position };
  }
  next(cursor);
  const end = next(cursor);
  if (end.kind !== 'string') throw errorAt(end, 'a range must end in a string of one character, as in "a".."z"');
  const to = parseString(end);
  const isRange =
    [text, to].every((each) => Array.from(each).length === 1) && (text.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0);
  if (!isRange) throw errorAt(token, 'a range must go from a character to a later one, as in "a".."z"');
  return { kind: 'range', from: text, to, ...position };
}
