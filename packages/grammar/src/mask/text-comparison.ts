import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';

/** Compares an automaton of restricted strings with that of unrestricted text, or with such text of some bytes. */
export type TextComparison = {
  /**
   * Whether all text of up to `bytes` bytes that does not end is possible from a pair of states, and nothing else; `Infinity`
   * for text of any length. May answer no although it is.
   */
  allows(state: number, textState: number, bytes: number): boolean;
};

/** Pairs of states that are followed for text of any length. */
const MAX_PAIRS = 1000;
/** Pairs of states whose answers are kept in a table. */
const MAX_ANSWERED_PAIRS = 4000;
/** The longest text that is followed byte by byte. */
const MAX_BYTES = 32;

/**
 * A state of each automaton: the pairs that one more byte of text leads to (`undefined` if anything else than text is possible, or
 * some text is not), the most bytes that are known to be allowed, and the fewest that are known to be refused.
 */
type Pair = { readonly next: readonly number[] | undefined; allowed: number; refused: number };

/** Compares with text of these bytes. */
export function compareWithText(dfa: Dfa, text: Dfa, bytes: readonly number[]): TextComparison {
  const pairs = new Map<number, Pair>();
  const stride = text.accepting.length;
  const samples = commonSamples(dfa, text, bytes);
  const makePair = (key: number): Pair => {
    const next = stepsOf(Math.floor(key / stride), key % stride);
    return { next, allowed: 0, refused: next === undefined ? 1 : Infinity };
  };
  const pairAt = (key: number): Pair => {
    let pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, (pair = makePair(key)));
    return pair;
  };
  const stepsOf = (state: number, textState: number): number[] | undefined => {
    const next = new Set<number>();
    for (const byte of samples) {
      const textTarget = stepDfa(text, textState, byte);
      const target = stepDfa(dfa, state, byte);
      const accepts = target >= 0 && dfa.accepting[target] === 1;
      if (textTarget >= 0 && text.accepting[textTarget] === 1) {
        if (target >= 0 && !accepts) return undefined;
        continue;
      }
      if (textTarget < 0 && target < 0) continue;
      if (textTarget < 0 || target < 0 || accepts) return undefined;
      next.add(target * stride + textTarget);
    }
    return [...next];
  };
  const allowsBytes = (key: number, bytes: number): boolean => {
    const pair = pairAt(key);
    if (bytes <= pair.allowed) return true;
    if (bytes >= pair.refused || pair.next === undefined) return false;
    if (bytes > 1 && !pair.next.every((next) => allowsBytes(next, bytes - 1))) {
      pair.refused = bytes;
      return false;
    }
    pair.allowed = bytes;
    return true;
  };
  const allowsAny = (key: number): boolean => {
    const found = new Set([key]);
    for (const each of found) {
      const { next, allowed, refused } = pairAt(each);
      if (allowed === Infinity) continue;
      if (next === undefined || refused < Infinity || found.size > MAX_PAIRS) {
        const first = pairAt(key);
        first.refused = Math.min(first.refused, MAX_BYTES + 1);
        return false;
      }
      for (const target of next) found.add(target);
    }
    for (const each of found) pairAt(each).allowed = Infinity;
    return true;
  };
  const decide = (key: number, bytes: number): boolean => {
    if (bytes <= MAX_BYTES) return allowsBytes(key, bytes);
    const { allowed, refused } = pairAt(key);
    return allowed === Infinity || (refused === Infinity && bytes === Infinity && allowsAny(key));
  };
  // The answers so far: the most bytes that are allowed, and the fewest that are not. A trie asks the same for thousands of nodes.
  const size = Math.min(dfa.accepting.length * stride, MAX_ANSWERED_PAIRS);
  const allowedUpTo = new Uint8Array(size);
  const refusedFrom = new Uint8Array(size).fill(MAX_BYTES + 1);
  return {
    allows(state, textState, bytes) {
      const key = state * stride + textState;
      if (bytes > MAX_BYTES) return decide(key, bytes);
      if (bytes <= (allowedUpTo[key] ?? 0)) return true;
      if (bytes >= (refusedFrom[key] ?? Infinity)) return false;
      const isAllowed = decide(key, bytes);
      (isAllowed ? allowedUpTo : refusedFrom)[key] = bytes;
      return isAllowed;
    },
  };
}

/** For each pair of classes of the two automata, the last comparison in which it was found. Reused, so that comparisons allocate less. */
let foundIn = new Int32Array(0);
let comparisons = 0;

/** One byte of each class that the two automata together distinguish, of those that are compared. */
function commonSamples(a: Dfa, b: Dfa, bytes: readonly number[]): number[] {
  comparisons++;
  if (foundIn.length < a.width * b.width) foundIn = new Int32Array(a.width * b.width);
  const samples: number[] = [];
  for (const byte of bytes) {
    const pair = (a.classes[byte] ?? 0) * b.width + (b.classes[byte] ?? 0);
    if (foundIn[pair] === comparisons) continue;
    foundIn[pair] = comparisons;
    samples.push(byte);
  }
  return samples;
}
