import { determinize } from '../automaton/determinize.ts';
import { isEmptyDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { addEdge, addEpsilon, addState, createNfa } from '../automaton/nfa.ts';
import type { Nfa } from '../automaton/nfa.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Steps } from '../steps.ts';
import { parsePattern } from '../pattern/parse.ts';
import type { Pattern } from '../pattern/pattern.ts';

export type NumberRange = {
  integer: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  /** Whether integers have up to `LONG_DIGITS` digits, unless they are multiples. */
  longIntegers?: true;
  /** Multiples of these integers are not allowed. */
  notMultiplesOf?: readonly number[];
};

/**
 * A number without bounds: up to 21 digits before and 25 after the decimal point, or one digit before it and an exponent in the range of
 * a double. Matches all output of `JSON.stringify`. `-0` is not allowed because it does not survive a round trip.
 */
export const FREE_NUMBER: Pattern = parsePattern(
  '0(?:\\.\\d{1,25})?|-?[1-9]\\d{0,20}(?:\\.\\d{1,25})?|-0\\.0{0,6}[1-9]\\d{0,18}' +
    '|-?[1-9](?:\\.\\d{1,17})?[eE][+-]?(?:\\d|[1-9]\\d|[12]\\d\\d|30[0-7])',
  'ecma',
);

/** Maximum number of digits of a number with bounds or exclusions: doubles represent so many digits exactly. */
const DIGITS = 15;

/** The numbers of `FREE_NUMBER` with at most `DIGITS` significant digits: no two of them are rounded to the same double. */
export const EXACT_NUMBER: Pattern = parsePattern(
  `0(?:\\.0{0,10}\\d{1,${DIGITS}})?|-0\\.0{0,6}[1-9]\\d{0,${DIGITS - 1}}|-?[1-9]\\d{0,${DIGITS - 1}}0{0,6}|` +
    Array.from({ length: DIGITS - 1 }, (_, i) => `-?[1-9]\\d{${i}}\\.\\d{1,${DIGITS - 1 - i}}`).join('|') +
    `|-?[1-9](?:\\.\\d{1,${DIGITS - 1}})?[eE][+-]?(?:\\d|[1-9]\\d|[12]\\d\\d|30[0-7])`,
  'ecma',
);

/** All texts of a number in the forms of `FREE_NUMBER`. */
export function numberTexts(value: number): Pattern {
  if (value === 0) return parsePattern('-?0(?:\\.0+)?', 'ecma');
  const { units, scale } = toDecimal(value);
  const digits = String(units < 0n ? -units : units).replace(/0+$/, '');
  const zeros = String(units < 0n ? -units : units).length - digits.length;
  const sign = value < 0 ? '-' : '';
  /** The exponent of the first digit. */
  const power = digits.length + zeros - scale - 1;
  const integerPart = power < 0 ? '0' : digits.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = power < 0 ? digits.padStart(digits.length - power - 1, '0') : digits.slice(power + 1);
  const plain = fraction === '' ? `${integerPart}(?:\\.0+)?` : `${integerPart}\\.${fraction}0*`;
  const mantissa = digits.length === 1 ? `${digits}(?:\\.0+)?` : `${digits.slice(0, 1)}\\.${digits.slice(1)}0*`;
  const exponent = power < 0 ? `-0*${-power}` : power === 0 ? '[+-]?0+' : `\\+?0*${power}`;
  return parsePattern(`${sign}(?:${plain}|${mantissa}[eE]${exponent})`, 'ecma');
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const SAFE_DIGITS = 16;
/** Maximum number of digits of an integer that clients may not read exactly: those of `FREE_NUMBER`. */
const LONG_DIGITS = 21;
const LONGEST = 10n ** BigInt(LONG_DIGITS) - 1n;
const MAX_MODULUS = 10_000n;

export function hasBounds(range: NumberRange): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, notMultiplesOf } = range;
  return [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, notMultiplesOf].some(
    (bound) => bound !== undefined,
  );
}

/** An exact decimal: `units / 10 ** scale`. */
type Decimal = { units: bigint; scale: number };

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [integerPart = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(integerPart + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Rounds a bound to a multiple of `10 ** -scale`: a minimum up, a maximum down. */
function inUnits(value: number, scale: number, bound: 'min' | 'max', exclusive: boolean): bigint {
  const decimal = toDecimal(value);
  const shift = decimal.scale - scale;
  const divisor = shift > 0 ? 10n ** BigInt(shift) : 1n;
  const scaled = shift > 0 ? decimal.units : decimal.units * 10n ** BigInt(-shift);
  const floor = scaled / divisor - (scaled < 0n && scaled % divisor !== 0n ? 1n : 0n);
  const isExact = scaled % divisor === 0n;
  if (bound === 'max') return isExact && exclusive ? floor - 1n : floor;
  return isExact ? floor + (exclusive ? 1n : 0n) : floor + 1n;
}

/** Compiles the automaton of the decimals within a range. It is exact. */
export function* compileNumber(range: NumberRange, budget: Budget, mayBeEmpty = false): Steps<Dfa> {
  const { integer, multipleOf } = range;
  const step = multipleOf === undefined ? undefined : toDecimal(multipleOf);
  if (step && step.units <= 0n) throw new GrammarError('syntax', 'multipleOf must be greater than 0');
  const scale = integer ? 0 : (step?.scale ?? DIGITS - 1);
  if (scale > DIGITS - 1)
    throw new GrammarError('unsupported', `multipleOf can have at most ${DIGITS - 1} decimal places`);
  let modulus = step === undefined ? 1n : step.units;
  if (integer && step && step.scale > 0) modulus = step.units / gcd(step.units, 10n ** BigInt(step.scale));
  if (modulus > MAX_MODULUS) {
    throw new GrammarError(
      'unsupported',
      `multipleOf is supported up to ${String(MAX_MODULUS)}, not counting its decimal point`,
    );
  }
  const hasLongIntegers = range.longIntegers === true && step === undefined;
  const nfa = createNfa(budget);
  if (!integer || !hasLongIntegers) {
    const largest = integer ? SAFE : 10n ** BigInt(DIGITS + scale) - 1n;
    const digits = integer ? SAFE_DIGITS : DIGITS;
    addNumbers(nfa, { ...boundsInUnits(range, scale, largest), scale, modulus: Number(modulus), digits }, budget);
  }
  if (hasLongIntegers)
    addNumbers(nfa, { ...boundsInUnits(range, 0, LONGEST), scale: 0, modulus: 1, digits: LONG_DIGITS }, budget);
  const dfa = yield* determinize(nfa, budget);
  if (isEmptyDfa(dfa) && !mayBeEmpty) {
    const what = integer ? `integer of up to ${SAFE_DIGITS} digits` : `number of up to ${DIGITS} digits`;
    throw new GrammarError('empty', `no ${what} is within all of these bounds`);
  }
  return dfa;
}

/** The bounds of a range as multiples of `10 ** -scale`, which are at most `largest`. */
function boundsInUnits(range: NumberRange, scale: number, largest: bigint): Pick<Digits, 'min' | 'max'> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = range;
  const min = [
    -largest,
    ...(minimum === undefined ? [] : [inUnits(minimum, scale, 'min', false)]),
    ...(exclusiveMinimum === undefined ? [] : [inUnits(exclusiveMinimum, scale, 'min', true)]),
  ].reduce((a, b) => (a > b ? a : b));
  const max = [
    largest,
    ...(maximum === undefined ? [] : [inUnits(maximum, scale, 'max', false)]),
    ...(exclusiveMaximum === undefined ? [] : [inUnits(exclusiveMaximum, scale, 'max', true)]),
  ].reduce((a, b) => (a < b ? a : b));
  return { min, max };
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** More than the maximum number of digits of a number. */
const MAX_PLACES = 64;

type Digits = { min: bigint; max: bigint; scale: number; modulus: number; digits: number };

/**
 * Adds the numbers for each sign and number of integer digits to an automaton: it follows the digits of the bounds, and tracks the
 * remainder of the digits so far.
 */
function addNumbers(nfa: Nfa, { min, max, scale, modulus, digits }: Digits, budget: Budget): void {
  const state = (): number => addState(nfa, budget);
  const edge = (from: number, byte: number, to: number): void => {
    addEdge(nfa, from, byte, byte, to);
  };

  const stateByKey = new Map<number, number>();
  const addNumbersOfSize = (from: number, integerDigits: number, low: bigint, high: bigint): void => {
    const sign = from === nfa.start ? 0 : 1;
    const total = integerDigits + scale;
    const lower = low > 10n ** BigInt(total - 1) || integerDigits === 1 ? low : 10n ** BigInt(total - 1);
    const greatestOfSize = 10n ** BigInt(total) - 1n;
    const upper = high < greatestOfSize ? high : greatestOfSize;
    if (lower > upper || lower < 0n) return;
    const lowDigits = String(lower).padStart(total, '0');
    const highDigits = String(upper).padStart(total, '0');
    const lowIsZeroFrom = lowDigits.replace(/0+$/, '').length;
    // The factor of the remainder if the text ends at a position: omitted digits are zeros.
    const zeros = Array.from({ length: total + 1 }, (_, at) => Number(10n ** BigInt(total - at) % BigInt(modulus)));
    const visit = (at: number, onLow: boolean, onHigh: boolean, rest: number): number => {
      // Away from the bounds, the states depend only on the number of remaining digits.
      const isAtBound = onLow || onHigh || scale > 0;
      const place = isAtBound ? (sign * MAX_PLACES + integerDigits) * MAX_PLACES + at : integerDigits - at;
      const bounds = (isAtBound ? 4 : 0) + (onLow ? 2 : 0) + (onHigh ? 1 : 0);
      const key = (place * 8 + bounds) * modulus + rest;
      const existing = stateByKey.get(key);
      if (existing !== undefined) return existing;
      const here = state();
      stateByKey.set(key, here);
      const mayStop =
        at >= integerDigits && (!onLow || at >= lowIsZeroFrom) && (rest * (zeros[at] ?? 0)) % modulus === 0;
      if (mayStop) addEpsilon(nfa, here, nfa.end);
      if (at === total || at >= digits) return here;
      let origin = here;
      if (at === integerDigits) {
        origin = state();
        edge(here, 0x2e, origin);
      }
      const lowDigit = onLow ? Number(lowDigits[at]) : 0;
      const highDigit = onHigh ? Number(highDigits[at]) : 9;
      for (let digit = lowDigit; digit <= highDigit; digit++) {
        const first = digit;
        const isOnLow = onLow && digit === lowDigit;
        const isOnHigh = onHigh && digit === highDigit;
        const next = visit(at + 1, isOnLow, isOnHigh, (rest * 10 + digit) % modulus);
        // Without a modulus, all digits between the bounds lead to one state.
        if (modulus === 1 && !isOnLow && !isOnHigh) digit = onHigh ? highDigit - 1 : highDigit;
        addEdge(nfa, origin, 0x30 + first, 0x30 + digit, next);
      }
      return here;
    };
    const first = visit(0, true, true, 0);
    addEpsilon(nfa, from, first);
  };

  const minus = state();
  edge(nfa.start, 0x2d, minus);
  const maxIntegerDigits = Math.min(digits, Math.max(String(min).length, String(max).length));
  for (let integerDigits = 1; integerDigits <= maxIntegerDigits; integerDigits++) {
    addNumbersOfSize(nfa.start, integerDigits, min > 0n ? min : 0n, max);
    // The minimum of 1 excludes "-0".
    addNumbersOfSize(minus, integerDigits, max < 0n ? -max : 1n, -min);
  }
}
