import type { Form } from './valid-prefix.ts';

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** The significant digits of a number with bounds that grammars know. */
const boundedDigits = 15;
/** More digits than the integers have that grammars know: those stand for all longer ones. */
const longInteger = /^-?\d{22,}$/;

/** A JSON number as all its writers would have it; undefined if it is none. */
export function canonicalNumber(raw: string): string | undefined {
  const value = number.test(raw) ? Number(raw) : NaN;
  // JSON.stringify would write Infinity as null.
  if (Number.isFinite(value)) return JSON.stringify(value);
  return longInteger.test(raw) ? raw : undefined;
}

/**
 * The forms of a number that a grammar may know: as it is written, as JSON.stringify writes it, without exponent, and, for one with more digits
 * than grammars know, its two neighbors with fewer, both of which have to be valid.
 *
 * @param integersHaveNoPoint Whether 1.0 is no integer, as in JSON Schema before draft 6.
 */
export function numberForms(raw: string, canonical: string, integersHaveNoPoint: boolean): Form[] {
  const value = Number(raw);
  if (integersHaveNoPoint && Number.isInteger(value) && /[.eE]/.test(raw)) return [raw];
  const forms: Form[] = [raw];
  if (canonical !== raw) forms.push(canonical);
  const plain = Number.isFinite(value) ? withoutExponent(value) : raw;
  if (plain !== canonical) forms.push(plain);
  if (longInteger.test(plain)) forms.push(`${value < 0 ? '-' : ''}${'9'.repeat(21)}`);
  // Where grammars allow exponents, they allow those of up to 307.
  if (/e[+-]3(?:0[89]|[12]\d)$/.test(canonical)) forms.push(canonical.replace(/\d+$/, '307'));
  const [whole = '', fraction = ''] = plain.split('.');
  const excess = whole.replace('-', '').length + fraction.length - boundedDigits;
  if (excess > 0 && excess < fraction.length) {
    const towardsZero = `${whole}.${fraction.slice(0, -excess)}`;
    forms.push([towardsZero, nextDecimal(towardsZero)]);
  }
  return forms;
}

function withoutExponent(value: number): string {
  const text = String(value);
  const [, sign = '', digits = '', fraction = '', exponent = ''] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === '') return JSON.stringify(value);
  const shift = Number(exponent);
  const all = digits + fraction;
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${all}`;
  return `${sign}${all.padEnd(shift + 1, '0')}`;
}

/** The next decimal with as many digits, further from zero. */
function nextDecimal(text: string): string {
  const fractionDigits = text.length - text.indexOf('.') - 1;
  const isNegative = text.startsWith('-');
  const scaled = String(BigInt(text.replace('.', '').replace('-', '')) + 1n).padStart(fractionDigits + 1, '0');
  return `${isNegative ? '-' : ''}${scaled.slice(0, -fractionDigits)}.${scaled.slice(-fractionDigits)}`;
}
