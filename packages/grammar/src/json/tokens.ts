import { ANYTHING } from '../automaton/char-set.ts';
import { compilePattern, requireTexts } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { productDfa } from '../automaton/product.ts';
import { quoteDfa } from '../automaton/quote.ts';
import { createBudget } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { GrammarError, placed } from '../errors.ts';
import { parsePattern } from '../pattern/parse.ts';
import { alt, chars, literal, optional, repeat, seq } from '../pattern/pattern.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { FORMATS, formatPattern } from './formats.ts';
import { below, readCount, readText } from './keywords.ts';
import type { JsonObject } from './keywords.ts';
import { compileNumber, FREE_NUMBER, hasBounds } from './number.ts';
import type { NumberRange } from './number.ts';
import { FREE_STRING, jsonSequences, SPACE } from './text.ts';

/** The regular pieces of JSON. Equal ones are one automaton within a grammar, the free ones within the whole process. */
export type Tokens = {
  literal(text: string): Dfa;
  /** One of several texts. */
  oneOf(texts: readonly string[]): Dfa;
  /** `,` or `:` after `text`, and then a space or none. */
  punctuated(before: string, text: string): Dfa;
  string(schema: JsonObject, path: string): Dfa;
  /** A name of a member that is none of `names`, with its colon; `schema` restricts it further. */
  otherName(names: readonly string[], schema: JsonObject, path: string): Dfa;
  number(range: NumberRange): Dfa;
};

const everywhere = new Map<string, Dfa>();

/** Free strings and numbers cost the same for everyone and are paid once, outside of any budget. */
function shared(key: string, make: (budget: Budget) => Dfa): Dfa {
  let dfa = everywhere.get(key);
  if (dfa === undefined) {
    dfa = make(createBudget({ maxMs: Infinity }));
    everywhere.set(key, dfa);
  }
  return dfa;
}

const SPACED = optional(chars(SPACE));
const ANY_TEXT = repeat(chars(ANYTHING), 0);

export function createTokens(budget: Budget): Tokens {
  const known = new Map<string, Dfa>();
  const once = (key: string, make: () => Dfa): Dfa => {
    let dfa = known.get(key);
    if (dfa === undefined) {
      dfa = make();
      known.set(key, dfa);
    }
    return dfa;
  };
  const tokens: Tokens = {
    literal: (text) => once(`=${text}`, () => compilePattern(literal(text), budget)),
    oneOf: (texts) => once(`|${JSON.stringify(texts)}`, () => compilePattern(alt(...texts.map(literal)), budget)),
    punctuated: (before, text) =>
      once(`,${before}\n${text}`, () => {
        const start = before === '' ? [] : [literal(before), SPACED];
        return compilePattern(seq(...start, literal(text), SPACED), budget);
      }),
    string: (schema, path) => {
      const key = stringKey(schema);
      if (key === '') return shared('string', (own) => compilePattern(FREE_STRING, own));
      return once(`"${key}`, () => compileString(schema, path, budget));
    },
    otherName: (names, schema, path) =>
      once(`:${JSON.stringify(names)}${stringKey(schema)}`, () => {
        const name = compileString(schema, path, budget);
        if (names.length === 0) return name;
        const taken = compilePattern(alt(...names.map((each) => literal(JSON.stringify(each)))), budget);
        return requireTexts(productDfa(name, taken, 'difference', budget), 'a further property name');
      }),
    number: (range) => {
      if (!range.integer && !hasBounds(range)) return shared('number', (own) => compilePattern(FREE_NUMBER, own));
      if (range.integer && !hasBounds(range)) return shared('integer', (own) => compileNumber(range, own));
      return once(`#${JSON.stringify(range)}`, () => compileNumber(range, budget));
    },
  };
  return tokens;
}

const STRING_KEYWORDS = ['pattern', 'format', 'minLength', 'maxLength'];

function stringKey(schema: JsonObject): string {
  const given = STRING_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  return given.length === 0 ? '' : JSON.stringify(given.map((keyword) => [keyword, schema[keyword]]));
}

/** A string under its keywords, with its quotes, written as `JSON.stringify` writes it. */
function compileString(schema: JsonObject, path: string, budget: Budget): Dfa {
  const parts = stringParts(schema, path);
  const compiled = parts.map(({ pattern, keyword }) => {
    try {
      // Quotes are wrapped around the automaton of the inside, where a quote itself is escaped.
      return quoteDfa(compilePattern(pattern, budget, jsonSequences), budget);
    } catch (error) {
      throw placed(error, { path: keyword === undefined ? path : below(path, keyword) });
    }
  });
  const [first, ...others] = compiled;
  if (first === undefined) throw new RangeError('a string without a pattern');
  const all = others.reduce((a, b) => productDfa(a, b, 'both', budget), first);
  try {
    return requireTexts(all, 'the keywords of this string together');
  } catch (error) {
    throw placed(error, { path });
  }
}

type Part = { pattern: Pattern; keyword?: string };

function stringParts(schema: JsonObject, path: string): Part[] {
  const parts: Part[] = [];
  const source = readText(schema, 'pattern', path);
  if (source !== undefined) {
    try {
      // A pattern may match anywhere in the text unless it is anchored (JSON Schema validation, section 6.3.3).
      parts.push({ pattern: seq(ANY_TEXT, parsePattern(source, 'ecma'), ANY_TEXT), keyword: 'pattern' });
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
    parts.push({ pattern, keyword: 'format' });
  }
  const min = readCount(schema, 'minLength', path) ?? 0;
  const max = readCount(schema, 'maxLength', path) ?? Infinity;
  if (min > max) throw new GrammarError('empty', 'minLength is greater than maxLength', { path });
  if (min > 0 || max < Infinity) {
    const keyword = max < Infinity ? 'maxLength' : 'minLength';
    parts.push({ pattern: repeat(chars(ANYTHING), min, max), keyword });
  }
  return parts.length === 0 ? [{ pattern: ANY_TEXT }] : parts;
}
