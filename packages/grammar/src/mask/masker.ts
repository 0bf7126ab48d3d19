import type { Dfa } from '../automaton/dfa.ts';
import type { State } from '../grammar.ts';
import { MatcherState } from '../matcher/state.ts';
import { createMask, FEW_IN_MASK, listMask, setBit } from './token-set.ts';
import type { TokenMask } from './token-set.ts';
import { buildTrie, pathTo } from './trie.ts';
import type { Trie } from './trie.ts';

export type TokenMasker = {
  /** The allowed next tokens. Whether the text can end is the state's `canEnd`, not a token of the vocabulary. */
  allowed(state: State): TokenMask;
};

/** The vocabulary tokens that a grammar token accepts by itself, wherever it is. */
type Local = {
  /** Vocabulary tokens entirely within it: bits, or a list if they are few. */
  bits: Uint32Array | undefined;
  list: readonly number[];
  /** Topmost trie nodes where it can end while vocabulary tokens continue. */
  exits: readonly number[];
};

const FEW = 512;
const MAX_MASKS = 1000;
const MAX_LOCALS = 2000;

/**
 * Prepares a vocabulary for masks; token ids are indices, and bytes can be partial characters. An empty entry is a token that
 * is never allowed. Takes about half a second for 200,000 tokens; reuse it for all grammars.
 */
export function createTokenMasker(vocabulary: readonly Uint8Array[]): TokenMasker {
  const building = buildTrie(vocabulary);
  for (;;) {
    const step = building.next();
    if (step.done === true) return maskerOf(step.value, vocabulary.length);
  }
}

/**
 * The same in steps of a few milliseconds.
 * @param pause is awaited between the steps and should yield to the event loop.
 */
export async function prepareTokenMasker(
  vocabulary: readonly Uint8Array[],
  pause: () => Promise<void> | undefined,
): Promise<TokenMasker> {
  const building = buildTrie(vocabulary);
  for (;;) {
    const step = building.next();
    if (step.done === true) return maskerOf(step.value, vocabulary.length);
    await pause();
  }
}

function maskerOf(trie: Trie, vocabularySize: number): TokenMasker {
  const words = Math.ceil(vocabularySize / 32);
  let locals = new WeakMap<Dfa, (Local | undefined)[]>();
  let localCount = 0;
  const masks = new Map<State, TokenMask>();
  const scratch = new Uint32Array(words);
  const { byte, depth, end, token, alike, size } = trie;

  const localOf = (dfa: Dfa, state: number): Local => {
    let known = locals.get(dfa);
    if (known === undefined) locals.set(dfa, (known = []));
    let local = known[state];
    if (local === undefined) {
      if (++localCount > MAX_LOCALS) {
        locals = new WeakMap([[dfa, (known = [])]]);
        localCount = 1;
      }
      local = walkDfa(dfa, state);
      known[state] = local;
    }
    return local;
  };

  /** The part of the trie that one automaton accepts from a state. */
  const walkDfa = (dfa: Dfa, from: number): Local => {
    const { classes, width, table, accepting } = dfa;
    const states = [from];
    const list: number[] = [];
    const exits: number[] = [];
    let exitEnd = 0;
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const next = table[(states[level - 1] ?? 0) * width + (classes[byte[node] ?? 0] ?? 0)] ?? -1;
      const after = end[node] ?? size;
      if (next < 0) {
        node = after;
        continue;
      }
      states[level] = next;
      for (let id = token[node] ?? -1; id >= 0; id = alike[id] ?? -1) list.push(id);
      if (accepting[next] === 1 && node >= exitEnd && after > node + 1) {
        exits.push(node);
        exitEnd = after;
      }
      node++;
    }
    if (list.length <= FEW) return { bits: undefined, list, exits };
    const bits = new Uint32Array(words);
    for (const id of list) setBit(bits, id);
    return { bits, list: [], exits };
  };

  /** The part below a trie node that the whole grammar accepts. */
  const walkBelow = (place: number, from: MatcherState, found: number[]): void => {
    const base = depth[place] ?? 0;
    const states = [from];
    const stop = end[place] ?? size;
    for (let node = place + 1; node < stop;) {
      const level = (depth[node] ?? 1) - base;
      const next = states[level - 1]?.advanceByte(byte[node] ?? 0);
      if (next === undefined) {
        node = end[node] ?? size;
        continue;
      }
      states[level] = next;
      for (let id = token[node] ?? -1; id >= 0; id = alike[id] ?? -1) found.push(id);
      node++;
    }
  };

  const compute = (state: MatcherState): TokenMask => {
    /** Most states allow few tokens, which are kept as a list instead of bits. */
    const found: number[] = [];
    let many = false;
    const exits = new Set<number>();
    for (const { dfa, state: at } of [...state.threads, ...state.opened()]) {
      const { bits, list, exits: places } = localOf(dfa, at);
      if (bits) {
        if (!many) scratch.fill(0);
        many = true;
        for (let word = 0; word < words; word++) scratch[word] = (scratch[word] ?? 0) | (bits[word] ?? 0);
      }
      for (const id of list) found.push(id);
      for (const place of places) exits.add(place);
    }
    let done = 0;
    for (const place of [...exits].sort((a, b) => a - b)) {
      if (place < done) continue;
      const there = state.advance(pathTo(trie, place));
      if (there) walkBelow(place, there, found);
      done = end[place] ?? size;
    }
    if (!many && found.length <= FEW_IN_MASK) return listMask(Uint32Array.from(new Set(found)).sort(), words);
    if (!many) scratch.fill(0);
    for (const id of found) setBit(scratch, id);
    return createMask(scratch);
  };

  return {
    allowed(state) {
      const known = masks.get(state);
      if (known) return known;
      if (!(state instanceof MatcherState)) throw new TypeError('the state belongs to another copy of this package');
      const mask = compute(state);
      if (masks.size >= MAX_MASKS) masks.clear();
      masks.set(state, mask);
      return mask;
    },
  };
}
