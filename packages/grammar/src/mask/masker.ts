import { remainingLength, stepDfa } from '../automaton/dfa.ts';
import type { Counter, Dfa, LengthBounds } from '../automaton/dfa.ts';
import type { State } from '../grammar.ts';
import { statesOfFreeText, withinText } from '../json/terminals.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { Return, Thread } from '../matcher/call-stack.ts';
import { MatcherState } from '../matcher/state.ts';
import {
  addedTokens,
  changedMask,
  clearBit,
  countedBits,
  createMask,
  FEW_IN_MASK,
  hasBit,
  listIds,
  listMask,
  NO_TOKENS,
  setBit,
} from './token-set.ts';
import type { TokenBits, TokenMask } from './token-set.ts';
import { IdBuffer } from './id-buffer.ts';
import { createContextIndependentWalk } from './context-independent.ts';
import type { ContextIndependentTokens } from './context-independent.ts';
import { listTextTokens } from './text-tokens.ts';
import { firstLevel, clearLevels, groupAt, levelBelow, suffixesOf } from './suffixes.ts';
import type { Suffixes } from './suffixes.ts';
import { buildTrie } from './trie.ts';
import type { Trie } from './trie.ts';

export type TokenMasker = {
  /** The tokens that can come next. Does not contain an end-of-text token: use `canEnd` of the state. */
  allowed(state: State): TokenMask;
};

/** The tokens that a string automaton accepts from a state, by their number of characters. */
type TokenLengths = {
  longest: number;
  byLength: (number[] | undefined)[];
  /** The tokens that close the string. */
  closing: (number[] | undefined)[];
  /** The number of characters up to each exit. */
  exitLengths: readonly number[];
  /** The accepted tokens under limits on the number of characters, by a key of both limits. */
  limited: Map<number, ContextIndependentTokens>;
};

/** The tokens that continue after a terminal, in a state and with exits from that terminal. */
type Continuation = {
  readonly exits: Suffixes | undefined;
  /** The next continuation of the same state, with other exits. */
  readonly next: Continuation | undefined;
  readonly tokens: Uint32Array;
  /** For each list of context-independent tokens, its union with `tokens`, without the bits that belong to the list. */
  added: Map<ContextIndependentTokens['list'], Uint32Array> | undefined;
  /** The masks of states with a single active terminal. */
  masks: Map<ContextIndependentTokens, TokenMask> | undefined;
};

const MAX_MASKS = 1000;
/** Maximum number of cached continuations, including their masks. */
const MAX_CONTINUATIONS = 4000;
const MAX_CONTEXT_INDEPENDENT = 2000;
const MAX_SHARED = 1000;
const MAX_LIMITED = 200;
/** Maximum memory of the data from which masks are computed, in numbers of 8 bytes: about 128 MB. Above it, all caches are cleared. */
const MAX_KEPT_NUMBERS = 16_000_000;
/** At most this many return points are followed one by one; more are followed together. */
const MAX_SEPARATE = 4;
/** Maximum number of removed tokens that are stored as a list together with the bits of another state. */
const MAX_REMOVED = 500;
/** With at most this many tokens, their bits are set in an empty mask; with more, the other bits are cleared in a full one. */
const FEW_TO_SET = 50_000;

/**
 * Creates token masks for a vocabulary: the bytes of each token by token id. Tokens can end within characters. A token without bytes is
 * never allowed. Takes about half a second for 200,000 tokens: reuse the masker for all grammars.
 */
export function createTokenMasker(vocabulary: readonly Uint8Array[]): TokenMasker {
  const building = buildTrie(vocabulary);
  for (;;) {
    const step = building.next();
    if (step.done === true) return runSteps(createMasker(step.value, vocabulary.length));
  }
}

/**
 * Like `createTokenMasker`, in steps of a few milliseconds.
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
      const preparing = createMasker(step.value, vocabulary.length);
      for (;;) {
        const next = preparing.next();
        if (next.done === true) return next.value;
        await pause();
      }
    }
    await pause();
  }
}

function* createMasker(trie: Trie, vocabularySize: number): Steps<TokenMasker> {
  const words = Math.ceil(vocabularySize / 32);
  let tokensByDfa = new WeakMap<Dfa, (ContextIndependentTokens | undefined)[]>();
  let tokensCount = 0;
  let keptNumbers = 0;
  const masks = new Map<number, TokenMask>();
  /** All bits are cleared after each use. */
  const scratch = new Uint32Array(words);
  const removedIds = new IdBuffer();
  const { byte, depth, end, token, nextDuplicate, size } = trie;

  const text = withinText();
  const walk = createContextIndependentWalk(trie, words, listTextTokens(trie, text.dfa, text.state, words));
  yield;

  const tokensOf = (dfa: Dfa, state: number): ContextIndependentTokens => {
    if (dfa.isShared === true) return tokensOfShared(dfa, state);
    if (dfa.counter !== undefined) return tokensOfLength(dfa.counter, remainingLength(dfa, dfa.counter, state));
    let tokensByState = tokensByDfa.get(dfa);
    if (tokensByState === undefined) tokensByDfa.set(dfa, (tokensByState = []));
    let accepted = tokensByState[state];
    if (accepted === undefined) {
      if (++tokensCount > MAX_CONTEXT_INDEPENDENT) {
        tokensByDfa = new WeakMap([[dfa, (tokensByState = [])]]);
        tokensCount = 1;
        clearContinuations();
      }
      accepted = deriveTokens(dfa, state) ?? walk(dfa, state);
      keptNumbers += sizeOf(accepted);
      tokensByState[state] = accepted;
    }
    return accepted;
  };

  const bitsOf = ({ bits, list, excluded }: ContextIndependentTokens): Uint32Array => {
    const all = bits?.words.slice() ?? new Uint32Array(words);
    for (const id of list) setBit(all, id);
    for (const id of excluded) clearBit(all, id);
    return all;
  };

  /**
   * Derives the tokens from those of the automaton that this one was derived from, if most continuations are the same; `undefined`
   * otherwise.
   */
  const deriveTokens = (dfa: Dfa, from: number): ContextIndependentTokens | undefined => {
    const { derivation } = dfa;
    if (derivation === undefined) return undefined;
    const origin = derivation.states[from] ?? -1;
    if (origin < 0) return undefined;
    if (derivation.isEquivalent[from] === 1) return tokensOf(derivation.dfa, origin);
    // Otherwise most of the trie would have to be visited. A walk with the comparison with unrestricted text skips most of it.
    if (!isMostlyEquivalent(dfa, derivation.isEquivalent, from)) return undefined;
    const base = tokensOf(derivation.dfa, origin);
    if (base.bits === undefined) return undefined;
    removedIds.clear();
    const exits: number[] = [];
    /** The parts of the trie in which the automata differ: the first node of each, and the one after its last. */
    const unshared: number[] = [];
    const states = [from];
    const origins = [origin];
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const sample = byte[node] ?? 0;
      const next = dfa.table[(states[level - 1] ?? 0) * dfa.width + (dfa.classes[sample] ?? 0)] ?? -1;
      const { table, width, classes } = derivation.dfa;
      const baseTarget = table[(origins[level - 1] ?? 0) * width + (classes[sample] ?? 0)] ?? -1;
      const after = end[node] ?? size;
      if (baseTarget < 0 || (next >= 0 && derivation.isEquivalent[next] === 1)) {
        node = after;
        continue;
      }
      if (next < 0) {
        unshared.push(node, after);
        for (let inner = node; inner < after; inner++) {
          for (let id = token[inner] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) removedIds.add(id);
        }
        node = after;
        continue;
      }
      unshared.push(node, node + 1);
      if (dfa.accepting[next] === 1 && after > node + 1) exits.push(node);
      states[level] = next;
      origins[level] = baseTarget;
      node++;
    }
    let part = 0;
    let keptExits = 0;
    for (const node of base.exits.nodes) {
      while (part < unshared.length && (unshared[part + 1] ?? 0) <= node) part += 2;
      if ((unshared[part] ?? Infinity) <= node) continue;
      exits.push(node);
      keptExits++;
    }
    // Equal lists of exits are the same object, so that their continuations are computed once.
    const hasSameExits = keptExits === base.exits.nodes.length && exits.length === keptExits;
    const accepted = { ...base, exits: hasSameExits ? base.exits : suffixesOf(Int32Array.from(exits).sort()) };
    const { words: baseWords } = base.bits;
    for (const id of base.list) setBit(scratch, id);
    const removedFromBase = removedIds.ids().filter((id) => hasBit(baseWords, id) || hasBit(scratch, id));
    for (const id of base.list) clearBit(scratch, id);
    if (removedFromBase.length === 0) return accepted;
    const excluded =
      base.excluded.length === 0 ? removedFromBase : Uint32Array.from(new Set([...base.excluded, ...removedFromBase]));
    if (excluded.length <= MAX_REMOVED) return { ...accepted, excluded, allowedInList: undefined };
    const bits = countedBits(bitsOf({ ...accepted, excluded }));
    return { ...accepted, bits, list: new Uint32Array(0), excluded: NO_TOKENS, allowedInList: undefined };
  };

  /** The tokens of the automaton without limits, except those that have too many characters or close the string too early. */
  const tokensOfLength = (
    { origin, isCharacterEnd }: Counter,
    { tableState, minRemaining, maxRemaining }: LengthBounds,
  ): ContextIndependentTokens => {
    const base = tokensOfShared(origin, tableState);
    let tokenLengths = lengths.get(base);
    if (tokenLengths === undefined)
      lengths.set(base, (tokenLengths = lengthsFrom(origin, tableState, isCharacterEnd, base.exits.nodes)));
    const { longest, limited } = tokenLengths;
    // Before the opening quote, the quote counts as a character.
    const minCharacters = Math.min(tableState === 0 ? minRemaining + 1 : minRemaining, longest + 1);
    const maxCharacters = Math.min(tableState === 0 ? maxRemaining + 1 : maxRemaining, longest);
    if (maxCharacters === longest && minCharacters === 0) return base;
    const key = minCharacters * (longest + 1) + maxCharacters;
    let accepted = limited.get(key);
    if (accepted === undefined) {
      if (limited.size >= MAX_LIMITED) limited.clear();
      limited.set(key, (accepted = makeLimited(base, tokenLengths, minCharacters, maxCharacters)));
      keptNumbers += sizeOf(accepted);
    }
    return accepted;
  };

  const makeLimited = (
    base: ContextIndependentTokens,
    { byLength, closing, exitLengths }: TokenLengths,
    minCharacters: number,
    maxCharacters: number,
  ): ContextIndependentTokens => {
    const count = byLength.reduce((sum, ids, length) => (length > maxCharacters ? sum : sum + (ids?.length ?? 0)), 0);
    let bits: Uint32Array;
    if (count <= FEW_TO_SET) {
      bits = new Uint32Array(words);
      for (let length = 0; length <= maxCharacters; length++) for (const id of byLength[length] ?? []) setBit(bits, id);
    } else {
      bits = bitsOf(base);
      for (let length = maxCharacters + 1; length < byLength.length; length++) {
        for (const id of byLength[length] ?? []) clearBit(bits, id);
      }
    }
    for (let length = 0; length < Math.min(minCharacters, closing.length); length++) {
      for (const id of closing[length] ?? []) clearBit(bits, id);
    }
    const remainingExits = base.exits.nodes.filter((_, index) => {
      const length = exitLengths[index] ?? 0;
      return length >= minCharacters && length <= maxCharacters;
    });
    const exits = suffixesOf(remainingExits);
    const all = countedBits(bits);
    if (all.count > FEW_IN_MASK)
      return { bits: all, list: new Uint32Array(0), excluded: NO_TOKENS, allowedInList: undefined, exits };
    return { bits: undefined, list: listIds(bits, all.count), excluded: NO_TOKENS, allowedInList: undefined, exits };
  };

  /** Counts the characters of each token that the automaton accepts. A character is counted where it is complete. */
  const lengthsFrom = (dfa: Dfa, from: number, isCharacterEnd: Uint8Array, exits: Int32Array): TokenLengths => {
    const states = [from];
    const lengthAt = [0];
    const byLength: number[][] = [];
    const closing: number[][] = [];
    const exitLengths: number[] = [];
    for (let node = 1; node < size;) {
      const level = depth[node] ?? 1;
      const next = stepDfa(dfa, states[level - 1] ?? 0, byte[node] ?? 0);
      if (next < 0) {
        node = end[node] ?? size;
        continue;
      }
      states[level] = next;
      const length = (lengthAt[level - 1] ?? 0) + (isCharacterEnd[next] ?? 0);
      lengthAt[level] = length;
      if (exits[exitLengths.length] === node) exitLengths.push(length);
      for (let id = token[node] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) {
        // A character that the token starts but does not complete also counts towards the maximum.
        (byLength[length + (isCharacterEnd[next] === 1 || dfa.accepting[next] === 1 ? 0 : 1)] ??= []).push(id);
        if (dfa.accepting[next] === 1) (closing[length] ??= []).push(id);
      }
      node++;
    }
    return { longest: byLength.length - 1, byLength, closing, exitLengths, limited: new Map() };
  };

  /** The tokens of shared automata. Stored separately, so that automata of single grammars do not evict them. */
  let sharedTokens = new Map<Dfa, (ContextIndependentTokens | undefined)[]>();
  let sharedCount = 0;
  const lengths = new Map<ContextIndependentTokens, TokenLengths>();
  const tokensOfShared = (dfa: Dfa, state: number): ContextIndependentTokens => {
    const known = sharedTokens.get(dfa)?.[state];
    if (known !== undefined) return known;
    const accepted = deriveTokens(dfa, state) ?? walk(dfa, state);
    keptNumbers += sizeOf(accepted);
    if (++sharedCount > MAX_SHARED) {
      clearShared();
      clearContinuations();
    }
    keepShared(dfa, state, accepted);
    return accepted;
  };
  const keepShared = (dfa: Dfa, state: number, accepted: ContextIndependentTokens): void => {
    let tokensByState = sharedTokens.get(dfa);
    if (tokensByState === undefined) sharedTokens.set(dfa, (tokensByState = []));
    tokensByState[state] = accepted;
  };
  /** The tokens of unrestricted text, which is part of most grammars and slow to compute: they are computed once and kept. */
  const freeText: { dfa: Dfa; state: number; accepted: ContextIndependentTokens; tokenLengths?: TokenLengths }[] = [];
  const clearShared = (): void => {
    sharedTokens = new Map();
    sharedCount = 0;
    lengths.clear();
    for (const { dfa, state, accepted, tokenLengths } of freeText) {
      clearLevels(accepted.exits);
      keepShared(dfa, state, accepted);
      if (tokenLengths === undefined) continue;
      tokenLengths.limited.clear();
      lengths.set(accepted, tokenLengths);
    }
  };

  /**
   * The tokens that continue after the end of a terminal, by the id of the state after it, and by the exits. Not in a `WeakMap` by state:
   * the garbage collector processes those while the program is stopped.
   */
  const continued = new Map<number, Continuation>();
  /** The continuation of terminals whose end no token crosses. */
  let noContinuation = makeContinuation(NO_TOKENS);
  let continuations = 0;
  const clearContinuations = (): void => {
    continued.clear();
    noContinuation = makeContinuation(NO_TOKENS);
    continuations = 0;
  };
  const countContinuation = (): void => {
    if (++continuations > MAX_CONTINUATIONS) clearContinuations();
  };
  const continuationOf = (after: MatcherState, { exits }: ContextIndependentTokens): Continuation => {
    for (let known = continued.get(after.id); known !== undefined; known = known.next) {
      if (known.exits === exits) return known;
    }
    walkedIds.clear();
    const { size: sizeBefore } = exits;
    walkLevel(after, exits, firstLevel(exits, trie));
    countContinuation();
    const continuation = makeContinuation(walkedIds.ids().slice(), exits, continued.get(after.id));
    keptNumbers += continuation.tokens.length + (exits.size - sizeBefore) / 2;
    continued.set(after.id, continuation);
    return continuation;
  };
  /** Reused for each walk of suffixes, and for each mask. */
  const walkedIds = new IdBuffer();
  const foundIds = new IdBuffer();
  const walkLevel = (from: MatcherState, suffixes: Suffixes, level: number): void => {
    if (level < 0) return;
    const groups = suffixes.tree[level] ?? 0;
    let stop = groupAt(level, groups);
    for (let group = 0; group < groups; group++) {
      // Computing deeper levels can replace the array of the tree.
      const { tree } = suffixes;
      const entry = groupAt(level, group);
      const begin = stop;
      stop = tree[entry] ?? begin;
      const value = byte[tree[begin] ?? 0] ?? 0;
      if (!from.allowsByte(value)) continue;
      for (let at = begin; at < stop; at++) {
        for (let id = token[tree[at] ?? 0] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) walkedIds.add(id);
      }
      const below = levelBelow(suffixes, entry, begin, trie);
      const next = below < 0 ? undefined : from.advanceByte(value);
      if (next) walkLevel(next, suffixes, below);
    }
  };

  const compute = (state: MatcherState): TokenMask => {
    const started = state.startedThreads();
    const [only] = state.threads.length === 0 ? started : state.threads;
    if (only !== undefined && state.threads.length + started.length === 1) return maskOfThread(state, only);
    // Most states allow few tokens, which are stored as a list instead of bits.
    foundIds.clear();
    const large = new Set<ContextIndependentTokens>();
    /** The return points of the active terminals, by their exits. */
    const returns = new Map<Suffixes, { accepted: ContextIndependentTokens; after: Return[] }>();
    for (const threads of [state.threads, started]) {
      for (const { dfa, state: at, returnPoint } of threads) {
        const accepted = tokensOf(dfa, at);
        if (accepted.bits) large.add(accepted);
        foundIds.addAll(allowedInList(accepted));
        if (accepted.exits.nodes.length === 0) continue;
        const existing = returns.get(accepted.exits);
        if (existing) existing.after.push(returnPoint);
        else returns.set(accepted.exits, { accepted, after: [returnPoint] });
      }
    }
    for (const { accepted, after } of returns.values()) {
      // Many return points are followed together, because the states after them have much in common.
      const different = after.length === 1 ? after : [...new Set(after)];
      const groups = different.length > MAX_SEPARATE ? [different] : different.map((returnPoint) => [returnPoint]);
      for (const group of groups) {
        const next = state.after(group);
        if (next && canContinue(next)) foundIds.addAll(continuationOf(next, accepted).tokens);
      }
    }
    return maskOf([...large]);
  };

  /** The mask of a state with one thread. States that differ only in the number of characters before them share masks. */
  const maskOfThread = (state: MatcherState, { dfa, state: at, returnPoint }: Thread): TokenMask => {
    const accepted = tokensOf(dfa, at);
    const after = accepted.exits.nodes.length === 0 ? undefined : state.after([returnPoint]);
    const continuation = after && canContinue(after) ? continuationOf(after, accepted) : noContinuation;
    let mask = continuation.masks?.get(accepted);
    if (mask !== undefined) return mask;
    mask = maskWith(accepted, continuation);
    countContinuation();
    (continuation.masks ??= new Map<ContextIndependentTokens, TokenMask>()).set(accepted, mask);
    return mask;
  };

  const maskWith = (accepted: ContextIndependentTokens, continuation: Continuation): TokenMask => {
    const { bits, list, excluded } = accepted;
    const { tokens } = continuation;
    if (bits === undefined) {
      foundIds.clear();
      foundIds.addAll(allowedInList(accepted));
      foundIds.addAll(tokens);
      return maskOf([]);
    }
    continuation.added ??= new Map<ContextIndependentTokens['list'], Uint32Array>();
    let addedIds = continuation.added.get(list);
    if (addedIds === undefined) {
      continuation.added.set(list, (addedIds = addedTokens(bits, list, tokens)));
      keptNumbers += addedIds.length;
    }
    if (excluded.length === 0) return changedMask(bits, addedIds, NO_TOKENS);
    for (const id of excluded) setBit(scratch, id);
    for (const id of tokens) clearBit(scratch, id);
    const kept = addedIds.filter((id) => !hasBit(scratch, id));
    const removed = excluded.filter((id) => hasBit(scratch, id) && hasBit(bits.words, id));
    for (const id of excluded) clearBit(scratch, id);
    return changedMask(bits, kept, removed.sort());
  };

  /** The excluded tokens of a set of bits, without the collected ids. */
  const removedFrom = (bits: TokenBits, excluded: Uint32Array): Uint32Array => {
    if (excluded.length === 0) return NO_TOKENS;
    const ids = foundIds.ids();
    for (const id of ids) setBit(scratch, id);
    const removed = excluded.filter((id) => hasBit(bits.words, id) && !hasBit(scratch, id));
    for (const id of ids) clearBit(scratch, id);
    return removed.sort();
  };

  /** The mask of the union of large sets of tokens and the collected ids. */
  const maskOf = (large: readonly ContextIndependentTokens[]): TokenMask => {
    const [base] = large;
    if (base?.bits === undefined && foundIds.length <= FEW_IN_MASK) return listMask(foundIds.sorted(), words);
    if (base?.bits !== undefined && large.length === 1) {
      const { bits, excluded } = base;
      return changedMask(bits, addedTokens(bits, foundIds.ids()), removedFrom(bits, excluded));
    }
    const excludedIds = new Set<number>();
    for (const { excluded } of large) for (const id of excluded) excludedIds.add(id);
    if (excludedIds.size > 0) for (const id of foundIds.ids()) excludedIds.delete(id);
    const isAllowed = (id: number, { bits, excluded }: ContextIndependentTokens): boolean =>
      bits !== undefined && hasBit(bits.words, id) && !excluded.includes(id);
    const removed = [...excludedIds].filter((id) => !large.some((one) => isAllowed(id, one)));
    const sets = new Set(large.flatMap(({ bits }) => bits ?? []));
    if (base?.bits !== undefined && sets.size === 1) {
      const { bits } = base;
      const removedBits = Uint32Array.from(removed).filter((id) => hasBit(bits.words, id));
      return changedMask(bits, addedTokens(bits, foundIds.ids()), removedBits.sort());
    }
    for (const { words: bits } of sets) {
      for (let word = 0; word < words; word++) scratch[word] = (scratch[word] ?? 0) | (bits[word] ?? 0);
    }
    for (const id of removed) clearBit(scratch, id);
    for (const id of foundIds.ids()) setBit(scratch, id);
    const mask = createMask(scratch);
    scratch.fill(0);
    return mask;
  };

  const clearCaches = (): void => {
    tokensByDfa = new WeakMap();
    tokensCount = keptNumbers = 0;
    clearShared();
    clearContinuations();
  };

  for (const { dfa, state, isCharacterEnd } of statesOfFreeText()) {
    yield;
    const accepted = tokensOfShared(dfa, state);
    if (isCharacterEnd === undefined) {
      freeText.push({ dfa, state, accepted });
      continue;
    }
    yield;
    const tokenLengths = lengthsFrom(dfa, state, isCharacterEnd, accepted.exits.nodes);
    lengths.set(accepted, tokenLengths);
    freeText.push({ dfa, state, accepted, tokenLengths });
  }
  keptNumbers = 0;
  return {
    allowed(state) {
      if (!(state instanceof MatcherState)) throw new TypeError('the state belongs to another copy of this package');
      const existing = masks.get(state.id);
      if (existing) return existing;
      if (keptNumbers > MAX_KEPT_NUMBERS) clearCaches();
      const mask = compute(state);
      if (masks.size >= MAX_MASKS) masks.clear();
      masks.set(state.id, mask);
      return mask;
    },
  };
}

/** Whether the text can continue, rather than only end. */
function canContinue(after: MatcherState): boolean {
  return after.startedThreads().length > 0;
}

/** The memory of the tokens, in numbers of 8 bytes. */
function sizeOf({ bits, list, excluded, exits }: ContextIndependentTokens): number {
  return (bits?.words.length ?? 0) / 2 + list.length + excluded.length + exits.nodes.length;
}

function makeContinuation(tokens: Uint32Array, exits?: Suffixes, next?: Continuation): Continuation {
  return { exits, next, tokens, added: undefined, masks: undefined };
}

function allowedInList(accepted: ContextIndependentTokens): Uint32Array {
  const { list, excluded } = accepted;
  if (excluded.length === 0 || list.length === 0) return list;
  if (accepted.allowedInList === undefined) {
    const excludedIds = new Set(excluded);
    accepted.allowedInList = list.filter((id) => !excludedIds.has(id));
  }
  return accepted.allowedInList;
}

/** Whether most bytes lead to a state with the same continuations as in the automaton that this one was derived from. */
function isMostlyEquivalent(dfa: Dfa, isEquivalent: Uint8Array, from: number): boolean {
  let [all, equivalent] = [0, 0];
  for (let byte = 0; byte < 256; byte++) {
    const next = stepDfa(dfa, from, byte);
    if (next < 0) continue;
    all++;
    if (isEquivalent[next] === 1) equivalent++;
  }
  return equivalent * 2 >= all;
}
