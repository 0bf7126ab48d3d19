import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { compareWithText } from './text-comparison.ts';
import type { TextComparison } from './text-comparison.ts';
import { ANY_KIND, kindOf } from './text-tokens.ts';
import type { TextTokens } from './text-tokens.ts';
import { countedBits, setBit } from './token-set.ts';
import type { TokenBits } from './token-set.ts';
import type { Trie } from './trie.ts';

/** The vocabulary tokens that a grammar token accepts by itself, wherever it is. */
export type Local = {
  /** Vocabulary tokens entirely within it: many as bits, others as a list. */
  readonly bits: TokenBits | undefined;
  readonly list: readonly number[];
  /** Trie nodes where it can end while vocabulary tokens continue, in ascending order. */
  readonly exits: readonly number[];
};

/** Tokens that are kept as a list. */
const FEW = 512;

export type LocalWalk = (dfa: Dfa, from: number) => Local;

/**
 * Finds the part of a trie that one automaton accepts from a state. Where the automaton continues like unrestricted text for
 * as long as the tokens of a subtree are, these are taken from `text` without following them.
 */
export function createLocalWalk(trie: Trie, words: number, text: TextTokens): LocalWalk {
  const { byte, depth, end, token, alike, size } = trie;
  const comparisons = new WeakMap<Dfa, TextComparison[]>();
  /** Compares the automaton with text of some kinds of bytes. */
  const compared = (dfa: Dfa, kinds: number): TextComparison => {
    let found = comparisons.get(dfa);
    if (found === undefined) comparisons.set(dfa, (found = []));
    return (found[kinds] ??= compareWithText(dfa, text.dfa, (byte) => (kindOf(byte) & kinds) !== 0));
  };

  return (dfa, from) => {
    const { classes, width, table, accepting } = dfa;
    /** Whether everything below a node is text that the automaton allows. */
    const allowsBelow = (node: number, state: number, beside: number): boolean =>
      compared(dfa, text.kinds[node] ?? ANY_KIND).allows(state, beside, text.height[node] ?? 0);
    let bits: Uint32Array | undefined;
    const list: number[] = [];
    const exits: number[] = [];
    const addTokens = (node: number): void => {
      for (let id = token[node] ?? -1; id >= 0; id = alike[id] ?? -1) list.push(id);
    };
    /** The tokens below a node that end the text, which the automaton may not allow. */
    const addClosing = (node: number, state: number): void => {
      const stop = end[node] ?? size;
      for (let place = firstAfter(text.closing, node); place < text.closing.length; place++) {
        const closing = text.closing[place] ?? size;
        if (closing >= stop) break;
        const last = stepBetween(trie, dfa, state, node, closing);
        if (last < 0 || accepting[last] !== 1) continue;
        addTokens(closing);
        if ((end[closing] ?? size) > closing + 1) exits.push(closing);
      }
    };
    if (compared(dfa, ANY_KIND).allows(from, text.state, Infinity)) {
      addClosing(0, from);
      return { bits: text.openBits, list, exits };
    }
    const states = [from];
    const besides = [text.state];
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const value = byte[node] ?? 0;
      const next = table[(states[level - 1] ?? 0) * width + (classes[value] ?? 0)] ?? -1;
      const after = end[node] ?? size;
      if (next < 0) {
        node = after;
        continue;
      }
      const above = besides[level - 1] ?? -1;
      const beside = above < 0 ? -1 : stepDfa(text.dfa, above, value);
      const isText = beside >= 0 && text.dfa.accepting[beside] === 0 && accepting[next] === 0;
      states[level] = next;
      besides[level] = isText ? beside : -1;
      addTokens(node);
      if (isText && after > node + 1 && allowsBelow(node, next, beside)) {
        const [first, last] = [text.before[node + 1] ?? 0, text.before[after] ?? 0];
        if (last - first > FEW) {
          bits ??= new Uint32Array(words);
          for (let at = first; at < last; at++) setBit(bits, text.open[at] ?? 0);
        } else for (let at = first; at < last; at++) list.push(text.open[at] ?? 0);
        addClosing(node, next);
        node = after;
        continue;
      }
      if (accepting[next] === 1 && after > node + 1) exits.push(node);
      node++;
    }
    if (bits === undefined && list.length <= FEW) return { bits: undefined, list, exits };
    bits ??= new Uint32Array(words);
    for (const id of list) setBit(bits, id);
    return { bits: countedBits(bits), list: [], exits };
  };
}

/** The state at a node below another one, or -1. */
function stepBetween({ byte, parent }: Trie, dfa: Dfa, from: number, top: number, node: number): number {
  const path: number[] = [];
  for (let at = node; at !== top; at = parent[at] ?? 0) path.push(byte[at] ?? 0);
  let state = from;
  for (let at = path.length - 1; at >= 0 && state >= 0; at--) state = stepDfa(dfa, state, path[at] ?? 0);
  return state;
}

/** The index of the first number that is greater than `limit`. */
function firstAfter(sorted: Int32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
