import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { compareWithText } from './text-comparison.ts';
import type { TextComparison } from './text-comparison.ts';
import { ANY_KIND, kindOf } from './text-tokens.ts';
import type { TextTokens } from './text-tokens.ts';
import { selfLoopGroups } from './self-loops.ts';
import { suffixesOf } from './suffixes.ts';
import type { Suffixes } from './suffixes.ts';
import { bitsOfIds } from './token-set.ts';
import type { TokenBits } from './token-set.ts';
import type { Trie } from './trie.ts';

/** The vocabulary tokens that a grammar token accepts by itself, wherever it is. */
export type ContextIndependentTokens = {
  /** Vocabulary tokens entirely within it: many as bits, others as a list. */
  readonly bits: TokenBits | undefined;
  readonly list: readonly number[];
  /** Few tokens of these that are not allowed: bits and list are those of another state. */
  readonly without: readonly number[];
  /** Trie nodes where it can end while vocabulary tokens continue, in ascending order, and what follows them. */
  readonly exits: Suffixes;
};

/** Tokens that are kept as a list. */
const FEW = 512;

export type ContextIndependentWalk = (dfa: Dfa, from: number) => ContextIndependentTokens;

/**
 * Finds the part of a trie that one automaton accepts from a state. Where the automaton continues like unrestricted text for
 * as long as the tokens of a subtree are, these are taken from `text` without following them.
 */
export function createContextIndependentWalk(trie: Trie, words: number, text: TextTokens): ContextIndependentWalk {
  const { byte, depth, end, token, nextDuplicate, size } = trie;
  // Of the current walk, reused to avoid garbage.
  const ids = new Int32Array(nextDuplicate.length);
  let count = 0;
  const states = new Int32Array(depth.reduce((most, level) => Math.max(most, level), 0) + 1);
  const comparisons = new WeakMap<Dfa, TextComparison[]>();
  const selfLoops = new WeakMap<Dfa, (state: number) => number>();
  const selfLoopsOf = (dfa: Dfa): ((state: number) => number) => {
    let found = selfLoops.get(dfa);
    if (found === undefined) selfLoops.set(dfa, (found = selfLoopGroups(dfa, text.dfa, text.state)));
    return found;
  };
  /** Compares the automaton with text of some kinds of bytes. */
  const compared = (dfa: Dfa, kinds: number): TextComparison => {
    let found = comparisons.get(dfa);
    if (found === undefined) comparisons.set(dfa, (found = []));
    return (found[kinds] ??= compareWithText(dfa, text.dfa, (byte) => (kindOf(byte) & kinds) !== 0));
  };

  return (dfa, from) => {
    const { classes, width, table, accepting } = dfa;
    /**
     * Whether everything below a node is text that the automaton allows. Kinds of bytes are compared where a state does not lead
     * back to itself: elsewhere, their groups answer.
     */
    const allowsBelow = (node: number, state: number, textState: number, comparesKinds: boolean): boolean => {
      const height = text.height[node] ?? 0;
      if (ofAll.allows(state, textState, height)) return true;
      const kinds = text.kinds[node] ?? ANY_KIND;
      return comparesKinds && kinds !== ANY_KIND && compared(dfa, kinds).allows(state, textState, height);
    };
    const exits: number[] = [];
    const addTokens = (node: number): void => {
      for (let id = token[node] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) ids[count++] = id;
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
    count = 0;
    const ofAll = compared(dfa, ANY_KIND);
    if (ofAll.allows(from, text.state, Infinity)) {
      addClosing(0, from);
      return { bits: text.openBits, list: Array.from(ids.subarray(0, count)), without: [], exits: suffixesOf(exits) };
    }
    const loopingGroups = selfLoopsOf(dfa);
    states[0] = from;
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const value = byte[node] ?? 0;
      const next = table[(states[level - 1] ?? 0) * width + (classes[value] ?? 0)] ?? -1;
      const after = end[node] ?? size;
      if (next < 0) {
        node = after;
        continue;
      }
      addTokens(node);
      if (after === node + 1) {
        node = after;
        continue;
      }
      states[level] = next;
      const textState = text.states[node] ?? -1;
      if (textState >= 0 && accepting[next] === 0) {
        const selfLoops = textState === text.state ? loopingGroups(next) : 0;
        const isLooping = selfLoops !== 0 && ((text.groups[node] ?? 0) & ~selfLoops) === 0;
        if (isLooping || allowsBelow(node, next, textState, selfLoops === 0)) {
          const last = text.before[after] ?? 0;
          for (let at = text.before[node + 1] ?? 0; at < last; at++) ids[count++] = text.open[at] ?? 0;
          if (!isLooping) addClosing(node, next);
          node = after;
          continue;
        }
      }
      if (accepting[next] === 1) exits.push(node);
      node++;
    }
    const found = ids.subarray(0, count);
    if (count <= FEW) return { bits: undefined, list: Array.from(found), without: [], exits: suffixesOf(exits) };
    return { bits: bitsOfIds(found, words), list: [], without: [], exits: suffixesOf(exits) };
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
