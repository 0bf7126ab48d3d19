/** A set of Unicode code points as sorted, disjoint, inclusive ranges in one array: `[from, to, from, to, …]`. */
export type CharSet = readonly number[];

const MAX_CODE_POINT = 0x10ffff;
/** All Unicode scalar values: UTF-8 cannot encode surrogates. */
export const ANYTHING: CharSet = [0, 0xd7ff, 0xe000, MAX_CODE_POINT];

export function charRange(from: number, to = from): CharSet {
  return intersect([from, to], ANYTHING);
}

/** A power of two above `MAX_CODE_POINT`. */
const CODE_POINTS = 2 ** 21;

/** The union of ranges in any order. */
export function charSet(flat: readonly number[]): CharSet {
  // Each range is encoded as one number: classes have hundreds of ranges, which are sorted without objects.
  const ranges = new Float64Array(flat.length / 2);
  for (let at = 0; at < ranges.length; at++) ranges[at] = (flat[2 * at] ?? 0) * CODE_POINTS + (flat[2 * at + 1] ?? 0);
  ranges.sort();
  const out: number[] = [];
  for (const range of ranges) {
    const to = range % CODE_POINTS;
    const from = (range - to) / CODE_POINTS;
    const last = out.length - 1;
    if (last > 0 && from <= (out[last] ?? 0) + 1) out[last] = Math.max(out[last] ?? 0, to);
    else out.push(from, to);
  }
  return out;
}

export function charsOf(text: string): CharSet {
  return charSet(Array.from(text, (char) => char.codePointAt(0) ?? 0).flatMap((point) => [point, point]));
}

export function union(a: CharSet, b: CharSet): CharSet {
  return charSet([...a, ...b]);
}

export function complement(set: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    const from = set[i] ?? 0;
    if (from > next) out.push(next, from - 1);
    next = (set[i + 1] ?? 0) + 1;
  }
  if (next <= MAX_CODE_POINT) out.push(next, MAX_CODE_POINT);
  return intersect(out, ANYTHING);
}

export function intersect(a: CharSet, b: CharSet): CharSet {
  const out: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const from = Math.max(a[i] ?? 0, b[j] ?? 0);
    const aTo = a[i + 1] ?? 0;
    const bTo = b[j + 1] ?? 0;
    const to = Math.min(aTo, bTo);
    if (from <= to) out.push(from, to);
    if (aTo < bTo) i += 2;
    else j += 2;
  }
  return out;
}

export function subtract(a: CharSet, b: CharSet): CharSet {
  return intersect(a, complement(b));
}

export function includes(set: CharSet, point: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (point >= (set[i] ?? 0) && point <= (set[i + 1] ?? 0)) return true;
  return false;
}
