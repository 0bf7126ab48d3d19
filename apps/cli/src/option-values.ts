import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parseJson } from './json.ts';
import { parseBytes } from './output/units.ts';

// Parsers of the values of options. What they throw names the option.

/** An option with a fixed set of values. */
export function choice<const Flags extends string, const Values extends readonly string[]>(
  flags: Flags,
  description: string,
  values: Values,
) {
  return new Option(flags, description).choices(values);
}

/** The values of an option that can be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** The same for an option with a fixed set of values. */
export function collectFrom<Value extends string>(values: readonly Value[]) {
  return (text: string, previous: readonly Value[] = []): readonly Value[] => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return [...previous, value];
  };
}

interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

export function numberFrom({ min = -Infinity, max = Infinity, isInteger = false }: NumberRange) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const isValid = isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (isValid && value >= min && value <= max) return value;
    const range = max < Infinity ? ` from ${min} to ${max}` : min > -Infinity ? ` of at least ${min}` : '';
    throw new InvalidArgumentError(`Expected ${isInteger ? 'an integer' : 'a number'}${range}.`);
  };
}

export const positiveInteger = numberFrom({ min: 1, isInteger: true });

/** Also accepts `none`, which removes a limit. */
export function orNone<Value>(parse: (text: string) => Value) {
  return (text: string): Value | 'none' => {
    if (text === 'none') return text;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(error.message.replace(/\.$/, ', or none.'));
    }
  };
}

/** The value in a request: null removes a limit. */
export function nullIfNone<Value>(value: Value | 'none'): Value | null {
  return value === 'none' ? null : value;
}

/** Bytes of a size such as `64MB`. */
export function bytesFrom(text: string): number {
  const bytes = parseBytes(text);
  if (bytes === undefined) throw new InvalidArgumentError('Expected a size such as 16MiB, 64MB or 1000000.');
  return bytes;
}

const UNIT_SECONDS = { m: 60, h: 3600, d: 86_400 } as const;

/** Seconds of a duration such as `30d`, `12h` or `5m`. */
export function secondsFrom(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') {
    throw new InvalidArgumentError('Expected a duration such as 30d, 12h or 5m.');
  }
  return Number(count) * UNIT_SECONDS[unit];
}

/** Unix seconds of Unix seconds, an ISO 8601 date (UTC), or an ISO 8601 date and time (local time unless it has an offset). */
export function unixSecondsFrom(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const milliseconds = /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (milliseconds >= 0) return Math.floor(milliseconds / 1000);
  throw new InvalidArgumentError(
    'Expected a date such as 2026-11-23, a time such as 2026-11-23T09:30:00Z, or Unix seconds.',
  );
}

type Pairs<Value> = Readonly<Record<string, Value>>;

/** `name=value` pairs of an option that can be given several times. */
export function collectPairs(pair: string, previous: Pairs<string> = {}): Pairs<string> {
  const at = pair.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...previous, [pair.slice(0, at)]: pair.slice(at + 1) };
}

/** The same with values in JSON. Other text is a string. */
export function collectJsonPairs(pair: string, previous: Pairs<unknown> = {}): Pairs<unknown> {
  const [[name, text] = ['', '']] = Object.entries(collectPairs(pair));
  return { ...previous, [name]: jsonOrText(text) };
}

export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
