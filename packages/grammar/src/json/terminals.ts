import { literalDfa, chargeLiteral } from '../automaton/literal.ts';
import { ANYTHING, charsOf } from '../automaton/char-set.ts';
import { compilePattern, compilePatternSteps } from '../automaton/determinize.ts';
import { requireNonEmpty, stepDfa, withFewestClasses } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { countedDfa, limitedDfa } from '../automaton/counted.ts';
import { chargeWithoutWords, withoutWordsDfa } from '../automaton/without-words.ts';
import { encodeWords, buildWordTrie } from '../automaton/word-trie.ts';
import { operandOf, productDfa } from '../automaton/product.ts';
import { quoteDfa } from '../automaton/quote.ts';
import { wordListDfa } from '../automaton/word-list.ts';
import type { Budget } from '../budget.ts';
import { builtTerminal, DeferredTerminal, LazyTerminal, SteppedTerminal } from '../network/lazy-terminal.ts';
import type { PreparableTerminal } from '../network/lazy-terminal.ts';
import type { Terminal } from '../network/node.ts';
import { GrammarError, withPosition } from '../errors.ts';
import { parsePattern } from '../pattern/parse.ts';
import { chars, literal, repeat, seq } from '../pattern/pattern.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { OPENAPI_FORMATS, FORMATS, formatPattern } from './formats.ts';
import { isFreeText } from './branch.ts';
import type { Located, TextLimits } from './branch.ts';
import { compileNumber, EXACT_NUMBER, FREE_NUMBER, hasBounds, numberTexts } from './number.ts';
import type { NumberRange } from './number.ts';
import { permanentAutomaton, recentAutomaton } from './shared-automata.ts';
import { FREE_STRING, jsonSequences } from './text.ts';

/** The terminals of JSON. Equal terminals share an automaton within a grammar; unrestricted ones share it within the process. */
export type Terminals = {
  literal(text: string): Terminal;
  /** The opening and the closing bracket of an array or object. */
  open(bracket: '[' | '{'): Terminal;
  close(bracket: ']' | '}'): Terminal;
  /** Whitespace before or after the whole value. */
  surroundingWhitespace(): Terminal;
  /** One of several texts. */
  oneOf(texts: readonly string[]): Terminal;
  /** `before`, an optional space if it is not empty, `text`, which ends in `,` or `:`, and another optional space. */
  punctuated(before: string, text: string): Terminal;
  /** The name of a member with its colon, preceded by a comma unless it is the first. */
  memberName(name: string, isFirst: boolean): Terminal;
  /** An item of an array after the first: a comma, an optional space, and a text. */
  nextItem(text: string): Terminal;
  /** A string. `mayBeEmpty` allows limits that no string matches. */
  string(limits: TextLimits, path: string, mayBeEmpty?: boolean): Terminal;
  /** Whether these limits restrict only the length. */
  areLengthOnly(limits: TextLimits): boolean;
  /** A string of `min` to `max` characters, in the form of `JSON.stringify`. Its automaton cannot be used in products. */
  stringOfLength(min: number, max: number): Terminal;
  /** Any property name except `names`. */
  additionalName(names: readonly string[]): Terminal;
  /** A property name with a given automaton. */
  name(dfa: Dfa): Terminal;
  number(range: NumberRange, excluded: readonly number[], path: string, mayBeEmpty?: boolean): Terminal;
  /** The intersection or the difference of two automata. Cached. */
  product(a: Dfa, b: Dfa, mode: 'intersection' | 'difference'): Dfa;
  /** Builds the automata of all terminals. */
  prepare(): Steps<void>;
};

/** The bytes of an empty string. */
const QUOTES = 2;

const SPACES = repeat(chars(charsOf(' \t\n\r')), 0);
const ANY_TEXT = repeat(chars(ANYTHING), 0);

export type TerminalOptions = {
  /** Whether to reject formats that are not enforced. */
  readonly strict: boolean;
  readonly whitespace: 'any' | 'compact';
  /** Whether to enforce only formats that JSON Schema defines. */
  readonly isOpen: boolean;
  readonly longIntegers: boolean;
};

export function createTerminals(
  budget: Budget,
  { strict, whitespace, isOpen, longIntegers }: TerminalOptions,
): Terminals {
  const terminalsByKey = new Map<string, PreparableTerminal>();
  const lazyTerminal = (key: string, make: () => Dfa): Terminal => {
    let terminal = terminalsByKey.get(key);
    if (terminal === undefined) terminalsByKey.set(key, (terminal = new LazyTerminal(make)));
    return terminal;
  };
  const steppedTerminal = (key: string, make: () => Steps<Dfa>): Terminal => {
    let terminal = terminalsByKey.get(key);
    if (terminal === undefined) terminalsByKey.set(key, (terminal = new SteppedTerminal(make)));
    return terminal;
  };
  /** The limits without unknown formats, which are annotations outside of strict mode (JSON Schema validation, section 7.2.1). */
  const enforced = (limits: TextLimits): TextLimits => {
    const isKnown = ({ source }: Located): boolean =>
      !(isOpen && OPENAPI_FORMATS.has(source)) && formatPattern(source, strict) !== undefined;
    const unknown = limits.formats.find((format) => !isKnown(format));
    if (unknown === undefined) return limits;
    if (strict) {
      const reason = `the format "${unknown.source}" is not supported; use one of ${FORMATS.join(', ')}`;
      throw new GrammarError('unsupported', reason, { path: unknown.path });
    }
    return { ...limits, formats: limits.formats.filter(isKnown) };
  };
  const literalTerminal = (key: string, pieces: readonly string[]): Terminal => {
    let terminal = terminalsByKey.get(key);
    if (terminal === undefined) {
      terminal = new DeferredTerminal(chargeLiteral(pieces, budget), () => literalDfa(pieces));
      terminalsByKey.set(key, terminal);
    }
    return terminal;
  };
  function* numberWithout(range: NumberRange, excluded: readonly number[], mayBeEmpty: boolean): Steps<Dfa> {
    const { notMultiplesOf = [], ...bounds } = range;
    let dfa: Dfa;
    if (range.integer || hasBounds(bounds)) dfa = yield* compileNumber(bounds, budget, mayBeEmpty);
    else dfa = compilePattern(excluded.length === 0 ? FREE_NUMBER : EXACT_NUMBER, budget);
    for (const divisor of notMultiplesOf) {
      const multiples = yield* compileNumber({ integer: true, multipleOf: divisor }, budget);
      dfa = yield* productDfa(dfa, operandOf(multiples), 'difference', budget);
    }
    for (const value of excluded) {
      const texts = yield* compilePatternSteps(numberTexts(value), budget);
      dfa = yield* productDfa(dfa, operandOf(texts), 'difference', budget);
    }
    return mayBeEmpty ? dfa : requireNonEmpty(dfa, 'the keywords of this number together');
  }
  const isCompact = whitespace === 'compact';
  /** Pieces of text with JSON whitespace (RFC 8259, section 2) before, between and after them. */
  const spaced = (pieces: readonly string[]): Terminal =>
    lazyTerminal(`_${JSON.stringify(pieces)}`, () => {
      const parts = pieces.filter((piece) => piece !== '').flatMap((piece) => [literal(piece), SPACES]);
      return compilePattern(seq(SPACES, ...parts), budget);
    });
  const firstNames = new Map<string, Terminal>();
  const laterNames = new Map<string, Terminal>();
  /** Cached products by their first and second automaton: many objects have the same patterns of property names. */
  type Products = Map<Dfa, Map<Dfa, Dfa>>;
  const products: { intersection: Products; difference: Products } = { intersection: new Map(), difference: new Map() };
  const terminals: Terminals = {
    literal: (text) => literalTerminal(`=${text}`, [text]),
    oneOf: (texts) => lazyTerminal(`|${JSON.stringify(texts)}`, () => wordListDfa(texts, budget)),
    open: (bracket) => (isCompact ? terminals.literal(bracket) : spaced([bracket])),
    close: (bracket) => (isCompact ? terminals.literal(bracket) : spaced([bracket])),
    surroundingWhitespace: () => spaced([]),
    punctuated: (before, text) => {
      if (!isCompact) return spaced([before, text.slice(0, -1), text.slice(-1)]);
      return literalTerminal(`,${before}\n${text}`, before === '' ? [text, ''] : [before, text, '']);
    },
    memberName(name, isFirst) {
      const names = isFirst ? firstNames : laterNames;
      let terminal = names.get(name);
      if (terminal === undefined) {
        terminal = terminals.punctuated(isFirst ? '' : ',', `${JSON.stringify(name)}:`);
        names.set(name, terminal);
      }
      return terminal;
    },
    nextItem: (text) =>
      isCompact
        ? literalTerminal(`+${text}`, [',', text])
        : lazyTerminal(`+${text}`, () => compilePattern(seq(SPACES, literal(','), SPACES, literal(text)), budget)),
    string: (limits, path, mayBeEmpty = false) => {
      const enforcedLimits = enforced(limits);
      if (isFreeText(enforcedLimits)) return lazyTerminal('string', freeString);
      const [format] = enforcedLimits.formats;
      if (
        format !== undefined &&
        isFreeText({ ...enforcedLimits, formats: [] }) &&
        enforcedLimits.formats.length === 1
      ) {
        const key = `format ${format.source}`;
        return lazyTerminal(key, () =>
          permanentAutomaton(key, (ownBudget) => runSteps(compileString(enforcedLimits, path, ownBudget, strict))),
        );
      }
      const key = `"${mayBeEmpty ? '?' : ''}${strict ? '!' : ''}${textKey(enforcedLimits)}`;
      return steppedTerminal(key, () =>
        recentAutomaton(key, budget, () => compileString(enforcedLimits, path, budget, strict, mayBeEmpty)),
      );
    },
    areLengthOnly: (limits) => isFreeText({ ...enforced(limits), min: 0, max: Infinity }),
    stringOfLength: (min, max) => lazyTerminal(`length ${min} ${max}`, () => countedText(min, max)),
    additionalName: (names) => {
      const key = `:${JSON.stringify(names)}`;
      if (names.length === 0) return lazyTerminal(key, quotedText);
      let terminal = terminalsByKey.get(key);
      if (terminal === undefined) {
        const tree = buildWordTrie(encodeWords(names.map((name) => JSON.stringify(name))));
        chargeWithoutWords(quotedText(), tree, budget);
        const make = (): Dfa => withoutWordsDfa(quotedText(), tree);
        terminal = names.includes('') ? new LazyTerminal(make) : new DeferredTerminal(QUOTES, make);
        terminalsByKey.set(key, terminal);
      }
      return terminal;
    },
    name: builtTerminal,
    number: (asked, excluded, path, mayBeEmpty = false) => {
      const range: NumberRange =
        longIntegers && asked.notMultiplesOf === undefined ? { ...asked, longIntegers } : asked;
      if (excluded.length === 0 && !hasBounds(range)) {
        const integer = longIntegers ? 'long integer' : 'integer';
        return range.integer
          ? lazyTerminal(integer, () =>
              permanentAutomaton(integer, (ownBudget) => runSteps(compileNumber(range, ownBudget))),
            )
          : lazyTerminal('number', () =>
              permanentAutomaton('number', (ownBudget) => compilePattern(FREE_NUMBER, ownBudget)),
            );
      }
      const key = `#${mayBeEmpty ? '?' : ''}${JSON.stringify([range, excluded])}`;
      return steppedTerminal(key, () =>
        recentAutomaton(key, budget, () => stepsWithin(path, numberWithout(range, excluded, mayBeEmpty))),
      );
    },
    product(a, b, mode) {
      let productsOfFirst = products[mode].get(a);
      if (productsOfFirst === undefined) products[mode].set(a, (productsOfFirst = new Map<Dfa, Dfa>()));
      let product = productsOfFirst.get(b);
      if (product === undefined) {
        product = runSteps(productDfa(a, operandOf(b), mode, budget));
        productsOfFirst.set(b, product);
      }
      return product;
    },
    *prepare() {
      // No more products are requested; terminals keep those that they need.
      products.intersection.clear();
      products.difference.clear();
      for (const terminal of terminalsByKey.values()) {
        yield* terminal.prepare();
        if (budget.isPauseDue()) yield;
      }
    },
  };
  return terminals;
}

function textKey({ patterns, notPatterns, formats, min, max, excluded }: TextLimits): string {
  const sources = [patterns, notPatterns, formats].map((list) => list.map(({ source }) => source));
  return JSON.stringify([...sources, min, max === Infinity ? -1 : max, excluded]);
}

/** Compiles the automaton of a string with all its keywords, with quotes, in the form of `JSON.stringify`. */
function* compileString(
  limits: TextLimits,
  path: string,
  budget: Budget,
  strict: boolean,
  mayBeEmpty = false,
): Steps<Dfa> {
  const parts = stringParts(limits, strict);
  const { min, max } = limits;
  const isCounted = min > 0 || max < Infinity;
  let combined: Dfa | undefined;
  for (const { at, make } of parts) {
    const part = yield* stepsWithin(at, make(budget));
    combined = combined
      ? yield* stepsWithin(path, productDfa(combined, operandOf(part), 'intersection', budget))
      : part;
  }
  for (const { source, path: at } of limits.notPatterns) {
    const part = yield* stepsWithin(at, matchAnywhere(source, at)(budget));
    combined = yield* stepsWithin(path, productDfa(combined ?? anyText(), operandOf(part), 'difference', budget));
  }
  if (isCounted) {
    combined = combined
      ? yield* stepsWithin(path, limitedDfa(combined, anyCharacter(), min, max, budget))
      : within(path, () => countedDfa(anyCharacter(), min, max, budget));
  }
  if (combined === undefined && limits.excluded.length === 0) return quotedText();
  const texts = combined ?? anyText();
  // Quotes are added around the automaton of the content, in which quotes are escaped.
  const what = 'the keywords of this string together';
  let quoted = within(path, () => quoteDfa(mayBeEmpty ? texts : requireNonEmpty(texts, what), budget));
  if (limits.excluded.length > 0) {
    const words = limits.excluded.map((each) => JSON.stringify(each));
    const listed = wordListDfa(words, budget);
    quoted = yield* stepsWithin(path, productDfa(quoted, operandOf(listed), 'difference', budget));
    if (!mayBeEmpty) requireNonEmpty(quoted, what);
  }
  return quoted;
}

/** Adds the path to errors. */
function within(path: string, make: () => Dfa): Dfa {
  try {
    return make();
  } catch (error) {
    throw withPosition(error, { path });
  }
}

function* stepsWithin(path: string, make: Steps<Dfa>): Steps<Dfa> {
  try {
    return yield* make;
  } catch (error) {
    throw withPosition(error, { path });
  }
}

type Part = { make: (budget: Budget) => Steps<Dfa>; at: string };

/** A pattern can match anywhere in the text unless it is anchored (JSON Schema validation, section 6.3.3). */
function matchAnywhere(source: string, path: string): Part['make'] {
  try {
    const pattern = seq(ANY_TEXT, parsePattern(source, 'ecma'), ANY_TEXT);
    return (budget) => compilePatternSteps(pattern, budget, jsonSequences);
  } catch (error) {
    throw withPosition(error, { path });
  }
}

function stringParts({ patterns, formats }: TextLimits, strict: boolean): Part[] {
  const parts: Part[] = patterns.map(({ source, path }) => ({ make: matchAnywhere(source, path), at: path }));
  for (const { source, path } of formats) {
    const pattern = formatPattern(source, strict);
    if (pattern !== undefined)
      parts.push({ make: (budget) => compilePatternSteps(pattern, budget, jsonSequences), at: path });
  }
  return parts;
}

/** The content of any string, and any character within it, in the form of `JSON.stringify`. Shared by all grammars. */
const anyText = (): Dfa =>
  permanentAutomaton('text', (ownBudget) => compilePattern(ANY_TEXT, ownBudget, jsonSequences));
const anyCharacter = (): Dfa =>
  // Copied for each character of a length limit, so that it must be small.
  permanentAutomaton('character', (ownBudget) =>
    withFewestClasses(compilePattern(chars(ANYTHING), ownBudget, jsonSequences)),
  );

/** Any string, with all escapes. */
const freeString = (): Dfa => permanentAutomaton('string', (ownBudget) => compilePattern(FREE_STRING, ownBudget));
/** A string in the form of `JSON.stringify`. */
const quotedText = (): Dfa => permanentAutomaton('quoted text', (ownBudget) => quoteDfa(anyText(), ownBudget));

/** 1 for each state in which a character is complete, so that the string can be closed. */
function characterEnds(dfa: Dfa): Uint8Array {
  return dfa.accepting.map((accepts, state) => {
    const closed = stepDfa(dfa, state, QUOTE);
    return state > 0 && accepts === 0 && closed >= 0 && dfa.accepting[closed] === 1 ? 1 : 0;
  });
}

let characterEndsInText: Uint8Array | undefined;
/** The automaton of any string with a counter: it needs no states for the limits. */
function countedText(min: number, max: number): Dfa {
  const origin = quotedText();
  characterEndsInText ??= characterEnds(origin);
  return { ...origin, isShared: false, counter: { min, max, isCharacterEnd: characterEndsInText, origin } };
}

/**
 * The states within unrestricted strings, in which almost every token of a vocabulary is allowed. `isCharacterEnd` is set if strings with
 * a length limit are derived from the automaton.
 */
export function statesOfFreeText(): { dfa: Dfa; state: number; isCharacterEnd: Uint8Array | undefined }[] {
  return [freeString(), quotedText()].flatMap((dfa) => {
    const opened = stepDfa(dfa, 0, QUOTE);
    const within = stepDfa(dfa, opened, 0x61);
    return [...new Set([opened, within])].map((state) => ({
      ...{ dfa, state },
      // Only strings in the form of `JSON.stringify` have a length limit.
      isCharacterEnd: dfa === quotedText() ? characterEnds(dfa) : undefined,
    }));
  });
}

/** The state within a string in the form of `JSON.stringify`, after a complete character. */
export function withinText(): { dfa: Dfa; state: number } {
  const dfa = quotedText();
  return { dfa, state: stepDfa(dfa, stepDfa(dfa, 0, QUOTE), 0x61) };
}

const QUOTE = 0x22;
