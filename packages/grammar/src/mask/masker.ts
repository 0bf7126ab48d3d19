import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import type { State } from '../grammar.ts';
import { statesOfFreeText, withinText } from '../json/tokens.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { MatcherState } from '../matcher/state.ts';
import { clearBit, countedBits, createMask, extendedMask, FEW_IN_MASK, listMask, setBit } from './token-set.ts';
import type { TokenBits, TokenMask } from './token-set.ts';
import { createLocalWalk } from './local.ts';
import type { Local } from './local.ts';
import { listTextTokens } from './text-tokens.ts';
import { buildTrie, pathTo } from './trie.ts';
import type { Trie } from './trie.ts';

export type TokenMasker = {
  /** The allowed next tokens. Whether the text can end is the state's `canEnd`, not a token of the vocabulary. */
  allowed(state: State): TokenMask;
};

/** The characters of tokens, by their number, and of nodes of the trie. */
type Lengths = {
  longest: number;
  byLength: (number[] | undefined)[];
  /** Those that end the text. */
  closing: (number[] | undefined)[];
  lengthAt: Uint16Array;
  /** All that do not end the text, once they are needed. */
  open: Local | undefined;
};

const MAX_MASKS = 1000;
const MAX_LOCALS = 2000;
const MAX_SHARED = 1000;

/**
 * Prepares a vocabulary for masks; token ids are indices, and bytes can be partial characters. An empty entry is a token that
 * is never allowed. Takes about half a second for 200,000 tokens; reuse it for all grammars.
 */
export function createTokenMasker(vocabulary: readonly Uint8Array[]): TokenMasker {
  const building = buildTrie(vocabulary);
  for (;;) {
    const step = building.next();
    if (step.done === true) return runSteps(maskerOf(step.value, vocabulary.length));
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
    if (step.done === true) {
      const preparing = maskerOf(step.value, vocabulary.length);
      for (;;) {
        const next = preparing.next();
        if (next.done === true) return next.value;
        await pause();
      }
    }
    await pause();
  }
}

function* maskerOf(trie: Trie, vocabularySize: number): Steps<TokenMasker> {
  const words = Math.ceil(vocabularySize / 32);
  let locals = new WeakMap<Dfa, (Local | undefined)[]>();
  let localCount = 0;
  const masks = new Map<State, TokenMask>();
  const scratch = new Uint32Array(words);
  const { byte, depth, parent, end, token, alike, size } = trie;

  const text = withinText();
  const walkLocal = createLocalWalk(trie, words, listTextTokens(trie, text.dfa, text.state, words));
  yield;

  const localOf = (dfa: Dfa, state: number): Local => {
    if (dfa.isShared === true) return sharedLocalOf(dfa, state);
    let known = locals.get(dfa);
    if (known === undefined) locals.set(dfa, (known = []));
    let local = known[state];
    if (local === undefined) {
      if (++localCount > MAX_LOCALS) {
        locals = new WeakMap([[dfa, (known = [])]]);
        localCount = 1;
      }
      local = likeShared(dfa, state) ?? walkLocal(dfa, state);
      known[state] = local;
    }
    return local;
  };

  const bitsOf = ({ bits, list }: Local): Uint32Array => {
    const all = bits?.words.slice() ?? new Uint32Array(words);
    for (const id of list) setBit(all, id);
    return all;
  };

  /** The shared automaton's part of the trie with what differs from it, if they are alike. */
  const likeShared = ({ likeness, ...dfa }: Dfa, from: number): Local | undefined => {
    if (likeness === undefined) return undefined;
    const origin = likeness.states[from] ?? -1;
    if (origin < 0) return undefined;
    if (likeness.same[from] === 1) return sharedLocalOf(likeness.dfa, origin);
    if (likeness.room !== undefined) {
      const { left, needed, whole } = likeness.room;
      const most = left[from] ?? -1;
      return most < 0 ? undefined : limitedLocal(likeness.dfa, origin, whole, needed[from] ?? 0, most);
    }
    // Otherwise the whole trie would be followed; the comparison with unrestricted text skips most of it.
    if (!isMostlySame(dfa, likeness.same, from)) return undefined;
    const base = sharedLocalOf(likeness.dfa, origin);
    if (base.bits === undefined) return undefined;
    const bits = bitsOf(base);
    const exits: number[] = [];
    /** Parts of the trie that the automaton does not share, from the first to after the last node. */
    const own: [from: number, to: number][] = [];
    const states = [from];
    const origins = [origin];
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const sample = byte[node] ?? 0;
      const next = dfa.table[(states[level - 1] ?? 0) * dfa.width + (dfa.classes[sample] ?? 0)] ?? -1;
      const { table, width, classes } = likeness.dfa;
      const beside = table[(origins[level - 1] ?? 0) * width + (classes[sample] ?? 0)] ?? -1;
      const after = end[node] ?? size;
      if (beside < 0 || (next >= 0 && likeness.same[next] === 1)) {
        node = after;
        continue;
      }
      if (next < 0) {
        own.push([node, after]);
        for (let inner = node; inner < after; inner++) {
          for (let id = token[inner] ?? -1; id >= 0; id = alike[id] ?? -1) clearBit(bits, id);
        }
        node = after;
        continue;
      }
      own.push([node, node + 1]);
      if (dfa.accepting[next] === 1 && after > node + 1) exits.push(node);
      states[level] = next;
      origins[level] = beside;
      node++;
    }
    let part = 0;
    for (const place of base.exits) {
      while (part < own.length && (own[part]?.[1] ?? 0) <= place) part++;
      if ((own[part]?.[0] ?? Infinity) > place) exits.push(place);
    }
    return { bits: countedBits(bits), list: [], exits: exits.sort((a, b) => a - b) };
  };

  /** What the shared automaton accepts, without tokens of more characters, and without those that end it too early. */
  const limitedLocal = (dfa: Dfa, state: number, whole: Uint8Array, least: number, most: number): Local | undefined => {
    const base = sharedLocalOf(dfa, state);
    let known = lengths.get(base);
    if (known === undefined) lengths.set(base, (known = lengthsFrom(dfa, state, whole)));
    const { longest, byLength, closing, lengthAt } = known;
    if (most >= longest && least === 0) return base;
    // A token that could reach the limit can continue after it with what follows.
    if (least > longest) return most > longest ? withoutClosing(base, known) : undefined;
    const bits = bitsOf(base);
    for (let length = most + 1; length <= longest; length++) {
      for (const id of byLength[length] ?? []) clearBit(bits, id);
    }
    for (let length = 0; length < Math.min(least, closing.length); length++) {
      for (const id of closing[length] ?? []) clearBit(bits, id);
    }
    const fits = (length: number): boolean => length >= least && length <= most;
    return { bits: countedBits(bits), list: [], exits: base.exits.filter((place) => fits(lengthAt[place] ?? 0)) };
  };

  /** The tokens that do not end the text. */
  const withoutClosing = (base: Local, known: Lengths): Local => {
    if (known.open === undefined) {
      const bits = bitsOf(base);
      for (const ids of known.closing) for (const id of ids ?? []) clearBit(bits, id);
      known.open = { bits: countedBits(bits), list: [], exits: [] };
    }
    return known.open;
  };

  /** The characters of each token that the automaton accepts, counted where they are complete. */
  const lengthsFrom = (dfa: Dfa, from: number, whole: Uint8Array): Lengths => {
    const states = [from];
    const lengthAt = new Uint16Array(size);
    const byLength: number[][] = [];
    const closing: number[][] = [];
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const next = stepDfa(dfa, states[level - 1] ?? 0, byte[node] ?? 0);
      if (next < 0) {
        node = end[node] ?? size;
        continue;
      }
      states[level] = next;
      const length = (lengthAt[parent[node] ?? 0] ?? 0) + (whole[next] ?? 0);
      lengthAt[node] = length;
      for (let id = token[node] ?? -1; id >= 0; id = alike[id] ?? -1) {
        // A character that the token begins and leaves incomplete needs room as well.
        (byLength[length + (whole[next] === 1 || dfa.accepting[next] === 1 ? 0 : 1)] ??= []).push(id);
        if (dfa.accepting[next] === 1) (closing[length] ??= []).push(id);
      }
      node++;
    }
    return { longest: byLength.length - 1, byLength, closing, lengthAt, open: undefined };
  };

  /** Apart from others, so that they stay while grammars come and go. */
  let sharedLocals = new WeakMap<Dfa, (Local | undefined)[]>();
  let sharedCount = 0;
  const lengths = new WeakMap<Local, Lengths>();
  const sharedLocalOf = (dfa: Dfa, state: number): Local => {
    let known = sharedLocals.get(dfa);
    if (known === undefined) sharedLocals.set(dfa, (known = []));
    let local = known[state];
    if (local !== undefined) return local;
    local = likeShared(dfa, state) ?? walkLocal(dfa, state);
    if (++sharedCount > MAX_SHARED) {
      sharedLocals = new WeakMap([[dfa, (known = [])]]);
      sharedCount = 1;
    }
    return (known[state] = local);
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
    const large = new Set<TokenBits>();
    const exits = new Set<number>();
    for (const { dfa, state: at } of [...state.threads, ...state.opened()]) {
      const { bits, list, exits: places } = localOf(dfa, at);
      if (bits) large.add(bits);
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
    const [base, ...others] = large;
    if (base !== undefined && others.length === 0) return extendedMask(base, found);
    if (base === undefined && found.length <= FEW_IN_MASK) {
      return listMask(Uint32Array.from(new Set(found)).sort(), words);
    }
    scratch.fill(0);
    for (const { words: more } of large) {
      for (let word = 0; word < words; word++) scratch[word] = (scratch[word] ?? 0) | (more[word] ?? 0);
    }
    for (const id of found) setBit(scratch, id);
    return createMask(scratch);
  };

  for (const { dfa, state, whole } of statesOfFreeText()) {
    yield;
    const local = sharedLocalOf(dfa, state);
    if (whole === undefined) continue;
    yield;
    lengths.set(local, lengthsFrom(dfa, state, whole));
  }
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

/** Whether most bytes lead to a state with the same continuations as in the automaton that it is like. */
function isMostlySame(dfa: Dfa, same: Uint8Array, from: number): boolean {
  let [all, alike] = [0, 0];
  for (let byte = 0; byte < 256; byte++) {
    const next = stepDfa(dfa, from, byte);
    if (next < 0) continue;
    all++;
    if (same[next] === 1) alike++;
  }
  return alike * 2 >= all;
}
