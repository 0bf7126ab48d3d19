import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';

/** A comparison of an automaton of restricted strings with unrestricted text, or with text that consists of some bytes. */
export type TextComparison = {
  /**
   * Whether the automaton accepts exactly all unfinished text of up to `bytes` bytes (`Infinity`: of any length) from a pair of states. Can
   * return false although it does.
   */
  allows(state: number, textState: number, bytes: number): boolean;
};

/** Maximum number of pairs of states that are visited for text of any length. */
const MAX_PAIRS = 1000;
/** Maximum number of pairs of states whose results are cached in a table. */
const MAX_CACHED_PAIRS = 4000;
/** Maximum length of text that is compared byte by byte. */
const MAX_BYTES = 32;
/** Greater than all numbers of bytes whose results are cached. */
const UNKNOWN = 255;

/** Stands for text of any length. */
const ANY_LENGTH = 2 ** 30;

/**
 * Pairs of a state of each automaton. They are stored in flat arrays, because there are thousands, and the garbage collector would
 * otherwise visit them one by one.
 */
class PairTable {
  readonly #indices = new Map<number, number>();
  /** Four numbers for each pair: the range of its targets, the longest allowed length, and the shortest rejected length in bytes. */
  #numbers = new Int32Array(64);
  /** The keys of the pairs after one more byte of text. */
  #targets = new Int32Array(64);
  #targetCount = 0;

  indexOf(key: number): number | undefined {
    return this.#indices.get(key);
  }

  /** Adds a pair, whose targets must be added next. */
  add(key: number): number {
    const index = this.#indices.size;
    this.#indices.set(key, index);
    if (this.#numbers.length < 4 * (index + 1)) this.#numbers = extended(this.#numbers);
    this.#numbers[4 * index] = this.#numbers[4 * index + 1] = this.#targetCount;
    this.setRejected(index, ANY_LENGTH);
    return index;
  }

  addTarget(index: number, key: number): void {
    const begin = this.begin(index);
    for (let at = this.#targetCount - 1; at >= begin; at--) if (this.#targets[at] === key) return;
    if (this.#targets.length === this.#targetCount) this.#targets = extended(this.#targets);
    this.#targets[this.#targetCount++] = key;
    this.#numbers[4 * index + 1] = this.#targetCount;
  }

  /** Marks a pair from which something other than text is accepted, or some text is not. */
  reject(index: number): void {
    this.#targetCount = this.begin(index);
    this.#numbers[4 * index + 1] = this.#targetCount;
    this.setRejected(index, 1);
  }

  begin(index: number): number {
    return this.#numbers[4 * index] ?? 0;
  }

  end(index: number): number {
    return this.#numbers[4 * index + 1] ?? 0;
  }

  target(at: number): number {
    return this.#targets[at] ?? 0;
  }

  allowed(index: number): number {
    return this.#numbers[4 * index + 2] ?? 0;
  }

  rejected(index: number): number {
    return this.#numbers[4 * index + 3] ?? 0;
  }

  setAllowed(index: number, bytes: number): void {
    this.#numbers[4 * index + 2] = bytes;
  }

  setRejected(index: number, bytes: number): void {
    this.#numbers[4 * index + 3] = bytes;
  }
}

function extended(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

/** Compares an automaton with the automaton of unrestricted text, for text that consists of the given bytes. */
export function compareWithText(dfa: Dfa, text: Dfa, bytes: readonly number[]): TextComparison {
  const pairs = new PairTable();
  const stride = text.accepting.length;
  const samples = commonSamples(dfa, text, bytes);
  const pairAt = (key: number): number => {
    const known = pairs.indexOf(key);
    if (known !== undefined) return known;
    const pair = pairs.add(key);
    const textState = key % stride;
    const state = (key - textState) / stride;
    for (const byte of samples) {
      const textTarget = stepDfa(text, textState, byte);
      const target = stepDfa(dfa, state, byte);
      const accepts = target >= 0 && dfa.accepting[target] === 1;
      if (textTarget >= 0 && text.accepting[textTarget] === 1) {
        if (target < 0 || accepts) continue;
        pairs.reject(pair);
        return pair;
      }
      if (textTarget < 0 && target < 0) continue;
      if (textTarget < 0 || target < 0 || accepts) {
        pairs.reject(pair);
        return pair;
      }
      pairs.addTarget(pair, target * stride + textTarget);
    }
    return pair;
  };
  const allowsBytes = (pair: number, bytes: number): boolean => {
    if (bytes <= pairs.allowed(pair)) return true;
    if (bytes >= pairs.rejected(pair)) return false;
    if (bytes > 1) {
      for (let at = pairs.begin(pair); at < pairs.end(pair); at++) {
        if (allowsBytes(pairAt(pairs.target(at)), bytes - 1)) continue;
        pairs.setRejected(pair, bytes);
        return false;
      }
    }
    pairs.setAllowed(pair, bytes);
    return true;
  };
  const allowsAny = (key: number): boolean => {
    const found = new Set([key]);
    for (const each of found) {
      const pair = pairAt(each);
      if (pairs.allowed(pair) === ANY_LENGTH) continue;
      if (pairs.rejected(pair) < ANY_LENGTH || found.size > MAX_PAIRS) {
        const first = pairAt(key);
        pairs.setRejected(first, Math.min(pairs.rejected(first), MAX_BYTES + 1));
        return false;
      }
      for (let at = pairs.begin(pair); at < pairs.end(pair); at++) found.add(pairs.target(at));
    }
    for (const each of found) pairs.setAllowed(pairAt(each), ANY_LENGTH);
    return true;
  };
  const decide = (key: number, bytes: number): boolean => {
    const pair = pairAt(key);
    if (bytes <= MAX_BYTES) return allowsBytes(pair, bytes);
    if (pairs.allowed(pair) === ANY_LENGTH) return true;
    return bytes === Infinity && pairs.rejected(pair) === ANY_LENGTH && allowsAny(key);
  };
  // Cached results: the longest allowed length and the shortest rejected length. Thousands of trie nodes need the same results.
  const size = Math.min(dfa.accepting.length * stride, MAX_CACHED_PAIRS);
  const allowedUpTo = new Uint8Array(size);
  const rejectedFrom = new Uint8Array(size).fill(UNKNOWN);
  return {
    allows(state, textState, bytes) {
      const key = state * stride + textState;
      if (bytes <= (allowedUpTo[key] ?? 0)) return true;
      if (bytes >= (rejectedFrom[key] ?? UNKNOWN) && bytes < UNKNOWN) return false;
      const isAllowed = decide(key, bytes);
      if (bytes < UNKNOWN) (isAllowed ? allowedUpTo : rejectedFrom)[key] = bytes;
      return isAllowed;
    },
  };
}

/** For each pair of byte classes, the last comparison in which it was found. Reused between calls to avoid allocations. */
let foundIn = new Int32Array(0);
let comparisons = 0;

/** One of the given bytes for each pair of byte classes of the two automata. */
function commonSamples(a: Dfa, b: Dfa, bytes: readonly number[]): Uint8Array {
  comparisons++;
  if (foundIn.length < a.width * b.width) foundIn = new Int32Array(a.width * b.width);
  const samples: number[] = [];
  for (const byte of bytes) {
    const pair = (a.classes[byte] ?? 0) * b.width + (b.classes[byte] ?? 0);
    if (foundIn[pair] === comparisons) continue;
    foundIn[pair] = comparisons;
    samples.push(byte);
  }
  return Uint8Array.from(samples);
}
