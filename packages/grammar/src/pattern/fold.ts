import { charSet, includes, intersect, subtract, union } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';

const UPPER: CharSet = [0x41, 0x5a];
const LOWER: CharSet = [0x61, 0x7a];
const ASCII: CharSet = [0x00, 0x7f];
/** From here on, ranges are not searched for letters with case: they consist mostly of ideographs. */
const MAX_CHECKED = 0x2e80;

/** The set with both cases of its ASCII letters; `undefined` if it contains other letters with case. */
export function foldCase(set: CharSet): CharSet | undefined {
  for (const [from, to] of pairs(subtract(set, ASCII))) {
    for (let point = from; point <= Math.min(to, MAX_CHECKED); point++) {
      const char = String.fromCodePoint(point);
      if (char.toLowerCase() !== char.toUpperCase()) return undefined;
    }
    if (from > MAX_CHECKED && from === to) {
      const char = String.fromCodePoint(from);
      if (char.toLowerCase() !== char.toUpperCase()) return undefined;
    }
  }
  return bothCases(set);
}

export function bothCases(set: CharSet): CharSet {
  const lowered = pairs(intersect(set, UPPER)).flatMap(([from, to]) => [from + 32, to + 32]);
  const raised = pairs(intersect(set, LOWER)).flatMap(([from, to]) => [from - 32, to - 32]);
  return union(set, charSet([...lowered, ...raised]));
}

/** Both cases for a negated bracket: also of the two non-ASCII letters whose other case is an ASCII letter. */
export function foldExcluded(set: CharSet): CharSet {
  const both = bothCases(set);
  const kelvin = includes(both, 0x6b) ? [0x212a, 0x212a] : [];
  const longS = includes(both, 0x73) ? [0x017f, 0x017f] : [];
  return charSet([...both, ...kelvin, ...longS]);
}

function pairs(set: CharSet): [number, number][] {
  const out: [number, number][] = [];
  for (let i = 0; i < set.length; i += 2) out.push([set[i] ?? 0, set[i + 1] ?? 0]);
  return out;
}
