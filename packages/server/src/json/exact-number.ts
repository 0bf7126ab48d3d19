/** Not in all type libraries and runtimes. */
const json: JSON & {
  readonly rawJSON?: (text: string) => object;
  readonly isRawJSON?: (value: unknown) => boolean;
} = JSON;

/** The digits that a double is printed with at most. */
const maxPrecision = 100;
/** Longer numbers are not compared. */
const maxLength = 400;

interface Decimal {
  readonly isNegative: boolean;
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** Exponent of the last digit. */
  readonly exponent: number;
}

/**
 * Whether a double has the value of a JSON number, as far as the number is written out: 0.10000000000000001 is the double 0.1 with 17 digits,
 * but 9007199254740993 is no double. A number of more than 400 characters is taken for inexact. A negative zero is not exact, because `JSON.stringify` drops its sign.
 */
export function isExactNumber(source: string): boolean {
  if (source.length > maxLength) return false;
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  if (String(value) === source) return true;
  const written = parseDecimal(source);
  // Large integers are written with zeros at the end, which other readers take for the exact value.
  const isRewritten = Number.isInteger(value) && !Number.isSafeInteger(value);
  const kept = parseDecimal(
    isRewritten || value === 0 ? JSON.stringify(value) : value.toPrecision(precisionOf(written)),
  );
  return written.isNegative === kept.isNegative && written.digits === kept.digits && written.exponent === kept.exponent;
}

function precisionOf({ digits }: Decimal): number {
  return Math.min(maxPrecision, Math.max(1, digits.length));
}

function parseDecimal(source: string): Decimal {
  const [, sign, integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = (integer + fraction).replace(/^0+/, '');
  let length = all.length;
  // A pattern for zeros at the end takes quadratic time.
  while (all[length - 1] === '0') length--;
  const digits = all.slice(0, length);
  const isZero = digits === '';
  return {
    isNegative: sign === '-',
    digits,
    exponent: isZero ? 0 : Number(exponent) - fraction.length + (all.length - digits.length),
  };
}

/** A value that `JSON.stringify` writes as exactly this number; undefined on runtimes that have none. */
export function rawNumber(source: string): object | undefined {
  return json.rawJSON?.(source);
}

/** The number that a raw number is written as; undefined for other values. */
export function sourceOf(value: unknown): string | undefined {
  return json.isRawJSON?.(value) === true ? JSON.stringify(value) : undefined;
}
