import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { compareWithText } from './text-comparison.ts';
import type { TextComparison } from './text-comparison.ts';
import { ANY_KIND, bytesOfKinds } from './text-tokens.ts';
import type { TextTokens } from './text-tokens.ts';
import { selfLoopGroups } from './self-loops.ts';
import { suffixesOf } from './suffixes.ts';
import type { Suffixes } from './suffixes.ts';
import { clearBit, NO_TOKENS, setBit } from './token-set.ts';
import type { TokenBits } from './token-set.ts';
import type { Trie } from './trie.ts';

/** The vocabulary tokens that the automaton of a grammar token accepts from a state, whatever rule it is in and whatever follows it. */
export type ContextIndependentTokens = {
  /** Vocabulary tokens that end within the grammar token: bits if they are many, and a list of the others. */
  readonly bits: TokenBits | undefined;
  readonly list: Uint32Array;
  /** A few tokens among the bits and the list that are not accepted, where both are shared with another state. */
  readonly excluded: Uint32Array;
  /** The tokens of the list that are not excluded, computed on demand. */
  allowedInList: Uint32Array | undefined;
  /** The trie nodes at which the grammar token can end within longer vocabulary tokens, in ascending order, with their suffixes. */
  readonly exits: Suffixes;
};

/** The maximum number of tokens that are kept as a list. */
const FEW = 512;

/** Up to this many nodes are followed without asking whether all that is below them is allowed. */
const FEW_BELOW = 3;
/** The same for the question about text of the kinds of bytes below them, which takes longer, above all the first time. */
const FEW_FOR_KINDS = 24;

/** The maximum number of automata about which something is known, and of the cells in their tables, except that one can be larger. */
const MAX_LATEST = 32;
const MAX_LATEST_CELLS = 1_000_000;

/** Comparisons with text, by the kinds of its bytes, and the groups of bytes that lead back to a state. */
type KnownAbout = {
  readonly comparisons: (TextComparison | undefined)[];
  readonly selfLoops: (state: number) => number;
};

export type ContextIndependentWalk = (dfa: Dfa, from: number) => ContextIndependentTokens;

/**
 * Finds the vocabulary tokens that an automaton accepts from a state. Where everything in a subtree of the trie is text that the
 * automaton allows, its tokens are taken from the precomputed `text` without visiting the nodes.
 */
export function createContextIndependentWalk(trie: Trie, words: number, text: TextTokens): ContextIndependentWalk {
  const { byte, depth, end, token, nextDuplicate, size } = trie;
  // Reused between walks, which then allocate less: ranges of `text.open` that are allowed, as pairs of the first index and the one
  // after the last, and tokens that are not text.
  const parts = new Int32Array(text.open.length + 2);
  let partsLength = 0;
  const ids = new Int32Array(nextDuplicate.length);
  let count = 0;
  const addText = (from: number, to: number): void => {
    if (from === to) return;
    if (partsLength > 0 && parts[partsLength - 1] === from) parts[partsLength - 1] = to;
    else {
      parts[partsLength++] = from;
      parts[partsLength++] = to;
    }
  };
  const states = new Int32Array(depth.reduce((max, level) => Math.max(max, level), 0) + 1);
  // What is known about the latest automata. Not for all that exist, as there are thousands: the walks of one follow each other.
  const latest = new Map<Dfa, KnownAbout>();
  let cells = 0;
  const knownAbout = (dfa: Dfa): KnownAbout => {
    let known = latest.get(dfa);
    if (known !== undefined) return known;
    cells += dfa.table.length;
    for (const oldest of latest.keys()) {
      if (latest.size < MAX_LATEST && cells <= MAX_LATEST_CELLS) break;
      latest.delete(oldest);
      cells -= oldest.table.length;
    }
    known = { comparisons: [], selfLoops: selfLoopGroups(dfa, text.dfa, text.state) };
    latest.set(dfa, known);
    return known;
  };

  return (dfa, from) => {
    const { classes, width, table, accepting } = dfa;
    const { comparisons: comparisonByKinds, selfLoops: loopingGroups } = knownAbout(dfa);
    /** Compares the automaton with text of some kinds of bytes. */
    const comparisonWith = (kinds: number): TextComparison =>
      (comparisonByKinds[kinds] ??= compareWithText(dfa, text.dfa, bytesOfKinds(kinds)));
    /**
     * Whether everything below a node is text that the automaton allows. States with self-loops need no comparison by kinds of
     * bytes, because the groups of bytes that loop were already tested.
     */
    const allowsBelow = (node: number, state: number, textState: number, comparesKinds: boolean): boolean => {
      const height = text.height[node] ?? 0;
      if (comparisonOfAllBytes.allows(state, textState, height)) return true;
      if (!comparesKinds || (end[node] ?? size) - node <= FEW_FOR_KINDS) return false;
      const kinds = text.kinds[node] ?? ANY_KIND;
      return kinds !== ANY_KIND && comparisonWith(kinds).allows(state, textState, height);
    };
    const exits: number[] = [];
    // Both the visited nodes and those at which text ends come in ascending order.
    let nextClosing = 0;
    const addTokens = (node: number): void => {
      for (let id = token[node] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) ids[count++] = id;
    };
    /** Adds the tokens below a node that end the text, as far as the automaton accepts them. */
    const addClosing = (node: number, state: number): void => {
      const stop = end[node] ?? size;
      while ((text.closing[nextClosing] ?? size) <= node) nextClosing++;
      for (; (text.closing[nextClosing] ?? size) < stop; nextClosing++) {
        const closing = text.closing[nextClosing] ?? size;
        const last = stepBetween(trie, dfa, state, node, closing);
        if (last < 0 || accepting[last] !== 1) continue;
        addTokens(closing);
        if ((end[closing] ?? size) > closing + 1) exits.push(closing);
      }
    };
    partsLength = 0;
    count = 0;
    const comparisonOfAllBytes = comparisonWith(ANY_KIND);
    if (comparisonOfAllBytes.allows(from, text.state, Infinity)) {
      addClosing(0, from);
      return {
        bits: text.openBits,
        list: Uint32Array.from(ids.subarray(0, count)),
        excluded: NO_TOKENS,
        allowedInList: undefined,
        exits: suffixesOf(Int32Array.from(exits)),
      };
    }
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
      const textState = text.states[node] ?? -1;
      if (textState < 0) addTokens(node);
      else addText(text.before[node] ?? 0, text.before[node + 1] ?? 0);
      if (after === node + 1) {
        node = after;
        continue;
      }
      states[level] = next;
      if (textState >= 0 && accepting[next] === 0 && after - node > FEW_BELOW) {
        const selfLoops = textState === text.state ? loopingGroups(next) : 0;
        const isLooping = selfLoops !== 0 && ((text.groups[node] ?? 0) & ~selfLoops) === 0;
        if (isLooping || allowsBelow(node, next, textState, selfLoops === 0)) {
          addText(text.before[node + 1] ?? 0, text.before[after] ?? 0);
          if (!isLooping) addClosing(node, next);
          node = after;
          continue;
        }
      }
      if (accepting[next] === 1) exits.push(node);
      node++;
    }
    const others = ids.subarray(0, count);
    const ranges = parts.subarray(0, partsLength);
    const all = count + lengthOf(ranges);
    const found = { excluded: NO_TOKENS, allowedInList: undefined, exits: suffixesOf(Int32Array.from(exits)) };
    if (all > FEW) return { ...found, bits: bitsOf(ranges, others), list: new Uint32Array(0) };
    const list = new Uint32Array(all);
    let length = 0;
    eachRange(ranges, (from, to) => {
      list.set(text.open.subarray(from, to), length);
      length += to - from;
    });
    list.set(others, length);
    return { ...found, bits: undefined, list };
  };

  /** The bits of ranges of text tokens and of other tokens. If the ranges have most text tokens, the bits of the rest are cleared. */
  function bitsOf(ranges: Int32Array, others: Int32Array): TokenBits {
    const kept = lengthOf(ranges);
    const { open, openBits } = text;
    const isMost = kept * 2 > open.length;
    const bits = isMost ? openBits.words.slice() : new Uint32Array(words);
    let before = 0;
    eachRange(ranges, (from, to) => {
      if (isMost) for (let at = before; at < from; at++) clearBit(bits, open[at] ?? 0);
      else for (let at = from; at < to; at++) setBit(bits, open[at] ?? 0);
      before = to;
    });
    if (isMost) for (let at = before; at < open.length; at++) clearBit(bits, open[at] ?? 0);
    for (const id of others) setBit(bits, id);
    return { words: bits, count: kept + others.length };
  }
}

function eachRange(ranges: Int32Array, use: (from: number, to: number) => void): void {
  for (let at = 0; at < ranges.length; at += 2) use(ranges[at] ?? 0, ranges[at + 1] ?? 0);
}

function lengthOf(ranges: Int32Array): number {
  let length = 0;
  eachRange(ranges, (from, to) => {
    length += to - from;
  });
  return length;
}

/** The state at a node below another one, or -1. */
function stepBetween({ byte, parent }: Trie, dfa: Dfa, from: number, top: number, node: number): number {
  const path: number[] = [];
  for (let at = node; at !== top; at = parent[at] ?? 0) path.push(byte[at] ?? 0);
  let state = from;
  for (let at = path.length - 1; at >= 0 && state >= 0; at--) state = stepDfa(dfa, state, path[at] ?? 0);
  return state;
}
