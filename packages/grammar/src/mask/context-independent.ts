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

/** The vocabulary tokens that the automaton of a terminal accepts from a state, independent of the rule and of what follows. */
export type ContextIndependentTokens = {
  /** Tokens that end within the terminal: bits if there are many, and a list of the others. */
  readonly bits: TokenBits | undefined;
  readonly list: Uint32Array;
  /** Tokens of the bits and the list that are not accepted: few, where both are shared with another state. */
  readonly excluded: Uint32Array;
  /** The tokens of the list that are not excluded, computed on demand. */
  allowedInList: Uint32Array | undefined;
  /** The trie nodes at which the terminal can end within longer tokens, in ascending order, with the suffixes of these tokens. */
  readonly exits: Suffixes;
};

/** Maximum number of tokens that are stored as a list. */
const MAX_LISTED = 512;

/** Subtrees of at most this many nodes are visited without first checking whether they are allowed completely. */
const MAX_UNCHECKED_NODES = 3;
/** The same limit for the check by kinds of bytes, which takes longer, especially the first time. */
const MAX_UNCHECKED_NODES_BY_KINDS = 24;

/** Maximum number of automata whose analysis is cached, and of their table cells in total. A single automaton can be larger. */
const MAX_LATEST = 32;
const MAX_LATEST_CELLS = 1_000_000;

/** The cached analysis of an automaton: comparisons with text, by the kinds of its bytes, and the groups of bytes that loop at a state. */
type Analysis = {
  readonly comparisons: (TextComparison | undefined)[];
  readonly selfLoops: (state: number) => number;
};

export type ContextIndependentWalk = (dfa: Dfa, from: number) => ContextIndependentTokens;

/**
 * Returns a function that finds the vocabulary tokens that an automaton accepts from a state. Where a whole subtree of the trie is text
 * that the automaton allows, its tokens are taken from the precomputed `text` without visiting the nodes.
 */
export function createContextIndependentWalk(trie: Trie, words: number, text: TextTokens): ContextIndependentWalk {
  const { byte, depth, end, token, nextDuplicate, size } = trie;
  // Reused between walks to avoid allocations: allowed ranges of `text.open`, as pairs of a start and an exclusive end, and the ids of
  // allowed tokens that are not text.
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
  // Only the latest analyses are cached: there are thousands of automata, and the walks of one usually follow each other.
  const latest = new Map<Dfa, Analysis>();
  let cells = 0;
  const analysisOf = (dfa: Dfa): Analysis => {
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
    const { comparisons: comparisonByKinds, selfLoops: loopingGroups } = analysisOf(dfa);
    /** The comparison of the automaton with text that consists of some kinds of bytes. */
    const comparisonWith = (kinds: number): TextComparison =>
      (comparisonByKinds[kinds] ??= compareWithText(dfa, text.dfa, bytesOfKinds(kinds)));
    /**
     * Whether everything below a node is text that the automaton allows. States with self-loops need no comparison by kinds of bytes,
     * because the groups of bytes that loop have already been tested.
     */
    const allowsBelow = (node: number, state: number, textState: number, comparesKinds: boolean): boolean => {
      const height = text.height[node] ?? 0;
      if (comparisonOfAllBytes.allows(state, textState, height)) return true;
      if (!comparesKinds || (end[node] ?? size) - node <= MAX_UNCHECKED_NODES_BY_KINDS) return false;
      const kinds = text.kinds[node] ?? ANY_KIND;
      return kinds !== ANY_KIND && comparisonWith(kinds).allows(state, textState, height);
    };
    const exits: number[] = [];
    // Both the visited nodes and the nodes at which text ends are in ascending order.
    let nextClosing = 0;
    const addTokens = (node: number): void => {
      for (let id = token[node] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) ids[count++] = id;
    };
    /** Adds the accepted tokens below a node that end the text. */
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
      if (textState >= 0 && accepting[next] === 0 && after - node > MAX_UNCHECKED_NODES) {
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
    if (all > MAX_LISTED) return { ...found, bits: bitsOf(ranges, others), list: new Uint32Array(0) };
    const list = new Uint32Array(all);
    let length = 0;
    eachRange(ranges, (from, to) => {
      list.set(text.open.subarray(from, to), length);
      length += to - from;
    });
    list.set(others, length);
    return { ...found, bits: undefined, list };
  };

  /** The bits of ranges of text tokens and of other tokens. If the ranges contain most text tokens, the bits of the others are cleared. */
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

/** The state at a node below `top`, where the state is `from`; -1 if it cannot be reached. */
function stepBetween({ byte, parent }: Trie, dfa: Dfa, from: number, top: number, node: number): number {
  const path: number[] = [];
  for (let at = node; at !== top; at = parent[at] ?? 0) path.push(byte[at] ?? 0);
  let state = from;
  for (let at = path.length - 1; at >= 0 && state >= 0; at--) state = stepDfa(dfa, state, path[at] ?? 0);
  return state;
}
