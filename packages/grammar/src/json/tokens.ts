import { chainDfa } from '../automaton/chain.ts';
import { ANYTHING } from '../automaton/char-set.ts';
import { compilePattern, compilePatternSteps } from '../automaton/determinise.ts';
import { requireTexts, withFewestClasses } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { countedDfa, limitedDfa } from '../automaton/counted.ts';
import { operandOf, productDfa } from '../automaton/product.ts';
import { quoteDfa } from '../automaton/quote.ts';
import { wordListDfa } from '../automaton/word-list.ts';
import { createBudget } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { LazyToken, SteppedToken } from '../network/lazy-token.ts';
import type { Token } from '../network/node.ts';
import { GrammarError, placed } from '../errors.ts';
import { parsePattern } from '../pattern/parse.ts';
import { chars, repeat, seq } from '../pattern/pattern.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { FORMATS, formatPattern } from './formats.ts';
import { below, readCount, readText } from './keywords.ts';
import type { JsonObject } from './keywords.ts';
import { compileNumber, FREE_NUMBER, hasBounds } from './number.ts';
import type { NumberRange } from './number.ts';
import { FREE_STRING, jsonSequences } from './text.ts';

/** The regular tokens of JSON. Equal ones share one automaton within a grammar, unrestricted ones within the process. */
export type Tokens = {
  literal(text: string): Token;
  /** One of several texts. */
  oneOf(texts: readonly string[]): Token;
  /** `,` or `:` after `text`, and then an optional space. */
  punctuated(before: string, text: string): Token;
  string(schema: JsonObject, path: string): Token;
  /** A property name that is none of `names`, with its colon; `schema` restricts it further. */
  otherName(names: readonly string[], schema: JsonObject, path: string): Token;
  number(range: NumberRange, path: string): Token;
  /** Builds the automata of all tokens. */
  prepare(): Steps<void>;
};

const everywhere = new Map<string, Dfa>();

/** Unrestricted strings and numbers are built once, outside of any budget. */
function shared(key: string, make: (budget: Budget) => Dfa): Dfa {
  let dfa = everywhere.get(key);
  if (dfa === undefined) {
    dfa = make(createBudget({ maxMs: Infinity }));
    everywhere.set(key, dfa);
  }
  return dfa;
}

const ANY_TEXT = repeat(chars(ANYTHING), 0);

export function createTokens(budget: Budget): Tokens {
  const known = new Map<string, LazyToken | SteppedToken>();
  const once = (key: string, make: () => Dfa): Token => {
    let token = known.get(key);
    if (token === undefined) known.set(key, (token = new LazyToken(make)));
    return token;
  };
  const onceInSteps = (key: string, make: () => Steps<Dfa>): Token => {
    let token = known.get(key);
    if (token === undefined) known.set(key, (token = new SteppedToken(make)));
    return token;
  };
  const tokens: Tokens = {
    literal: (text) => once(`=${text}`, () => chainDfa([text], budget)),
    oneOf: (texts) => once(`|${JSON.stringify(texts)}`, () => wordListDfa(texts, budget)),
    punctuated: (before, text) =>
      once(`,${before}\n${text}`, () => chainDfa(before === '' ? [text, ''] : [before, text, ''], budget)),
    string: (schema, path) => {
      const key = stringKey(schema);
      if (key === '') return once('string', () => shared('string', (own) => compilePattern(FREE_STRING, own)));
      const { format } = schema;
      const others = STRING_KEYWORDS.some((keyword) => keyword !== 'format' && schema[keyword] !== undefined);
      if (typeof format === 'string' && FORMATS.includes(format) && !others) {
        return once(`format ${format}`, () =>
          shared(`format ${format}`, (own) => runSteps(compileString({ format }, path, own))),
        );
      }
      return onceInSteps(`"${key}`, () => compileString(schema, path, budget));
    },
    otherName: (names, schema, path) =>
      onceInSteps(`:${JSON.stringify(names)}${stringKey(schema)}`, function* () {
        const name = yield* compileString(schema, path, budget);
        if (names.length === 0) return name;
        const taken = wordListDfa(
          names.map((each) => JSON.stringify(each)),
          budget,
        );
        const free = yield* productDfa(name, operandOf(taken), 'difference', budget);
        return requireTexts(free, 'an additional property name');
      }),
    number: (range, path) => {
      if (hasBounds(range)) {
        return onceInSteps(`#${JSON.stringify(range)}`, () => stepsWithin(path, compileNumber(range, budget)));
      }
      return range.integer
        ? once('integer', () => shared('integer', (own) => runSteps(compileNumber(range, own))))
        : once('number', () => shared('number', (own) => compilePattern(FREE_NUMBER, own)));
    },
    *prepare() {
      for (const token of known.values()) {
        if (token instanceof SteppedToken) yield* token.prepare();
        else makeNow(token);
        if (budget.isPauseDue()) yield;
      }
    },
  };
  return tokens;
}

/** Builds the automaton. */
function makeNow({ dfa }: Token): Dfa {
  return dfa;
}

const STRING_KEYWORDS = ['pattern', 'format', 'minLength', 'maxLength'];

function stringKey(schema: JsonObject): string {
  const given = STRING_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  return given.length === 0 ? '' : JSON.stringify(given.map((keyword) => [keyword, schema[keyword]]));
}

/** A string under its keywords, with quotes, in the form of `JSON.stringify`. */
function* compileString(schema: JsonObject, path: string, budget: Budget): Steps<Dfa> {
  const given = stringParts(schema, path);
  const { min, max, keyword } = lengths(schema, path);
  let inside: Dfa | undefined;
  for (const { keyword: own, make } of given) {
    const part = yield* stepsWithin(below(path, own), make(budget));
    inside = inside ? yield* stepsWithin(path, productDfa(inside, operandOf(part), 'both', budget)) : part;
  }
  if (keyword !== undefined) {
    inside = inside
      ? yield* stepsWithin(path, limitedDfa(inside, anyCharacter(), min, max, budget))
      : within(path, () => countedDfa(anyCharacter(), min, max, budget));
  }
  const texts = inside ?? anyText();
  // Quotes are added around the automaton of the content, in which quotes are escaped.
  return within(path, () => quoteDfa(requireTexts(texts, 'the keywords of this string together'), budget));
}

/** Adds the path to errors. */
function within(path: string, make: () => Dfa): Dfa {
  try {
    return make();
  } catch (error) {
    throw placed(error, { path });
  }
}

function* stepsWithin(path: string, make: Steps<Dfa>): Steps<Dfa> {
  try {
    return yield* make;
  } catch (error) {
    throw placed(error, { path });
  }
}

type Part = { make: (budget: Budget) => Steps<Dfa>; keyword: string };

const MAX_LENGTH = 5000;

function stringParts(schema: JsonObject, path: string): Part[] {
  const parts: Part[] = [];
  const source = readText(schema, 'pattern', path);
  if (source !== undefined) {
    try {
      const pattern = parsePattern(source, 'ecma');
      // A pattern can match anywhere in the text unless it is anchored (JSON Schema validation, section 6.3.3).
      const found = seq(ANY_TEXT, pattern, ANY_TEXT);
      parts.push({ make: (budget) => compilePatternSteps(found, budget, jsonSequences), keyword: 'pattern' });
    } catch (error) {
      throw placed(error, { path: below(path, 'pattern') });
    }
  }
  const format = readText(schema, 'format', path);
  if (format !== undefined) {
    const pattern = formatPattern(format);
    if (pattern === undefined) {
      const reason = `the format "${format}" is not supported; use one of ${FORMATS.join(', ')}`;
      throw new GrammarError('unsupported', reason, { path: below(path, 'format') });
    }
    parts.push({ make: (budget) => compilePatternSteps(pattern, budget, jsonSequences), keyword: 'format' });
  }
  return parts;
}

function lengths(schema: JsonObject, path: string): { min: number; max: number; keyword: string | undefined } {
  const min = readCount(schema, 'minLength', path) ?? 0;
  const max = readCount(schema, 'maxLength', path) ?? Infinity;
  if (min > max) throw new GrammarError('empty', 'minLength is greater than maxLength', { path });
  const keyword = max < Infinity ? 'maxLength' : min > 0 ? 'minLength' : undefined;
  if (keyword !== undefined && Math.max(min, max === Infinity ? 0 : max) > MAX_LENGTH) {
    throw new GrammarError('limit', `${keyword} is at most ${MAX_LENGTH}`, { path: below(path, keyword) });
  }
  return { min, max, keyword };
}

/** Fixed texts and their characters, shared by all grammars. */
const anyText = (): Dfa => shared('text', (own) => compilePattern(ANY_TEXT, own, jsonSequences));
const anyCharacter = (): Dfa =>
  // Copied for each character of a length, so it must be small.
  shared('character', (own) => withFewestClasses(compilePattern(chars(ANYTHING), own, jsonSequences)));
