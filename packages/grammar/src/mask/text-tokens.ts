import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { groupOf } from './self-loops.ts';
import { countedBits, setBit } from './token-set.ts';
import type { TokenBits } from './token-set.ts';
import type { Trie } from './trie.ts';

/** The tokens of a vocabulary within unrestricted text, from a state of its automaton. */
export type TextTokens = {
  readonly dfa: Dfa;
  readonly state: number;
  /** The state of the automaton at each node of the trie, or -1 where the text has ended or is not allowed. */
  readonly states: Int16Array;
  /** The tokens that do not end the text, in the order of the trie. */
  readonly open: Int32Array;
  /** For each node of the trie, the number of open tokens before it; one more element than nodes. */
  readonly before: Int32Array;
  readonly openBits: TokenBits;
  /** The nodes at which the text ends, in ascending order. */
  readonly closing: Int32Array;
  /** The length of the longest path below each node, at most 255. */
  readonly height: Uint8Array;
  /** The kinds and groups of all bytes below each node. */
  readonly kinds: Uint8Array;
  readonly groups: Int32Array;
};

/** Kinds of bytes, as bits: patterns usually allow or exclude a kind completely. */
const LOWER_CASE = 1;
const UPPER_CASE = 2;
const DIGIT = 4;
const NOT_ASCII = 8;
const OTHER = 16;
/** The first bytes of escapes, and of characters such as U+2028: `.` excludes some of both, the line terminators. */
const BACKSLASH = 32;
const LEAD_E2 = 64;
/** All kinds. */
export const ANY_KIND = 127;

function kindOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return LOWER_CASE;
  if (byte >= 0x41 && byte <= 0x5a) return UPPER_CASE;
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  if (byte === 0x5c) return BACKSLASH;
  if (byte === 0xe2) return LEAD_E2;
  return byte >= 0x80 ? NOT_ASCII : OTHER;
}

const listedBytes = new Map<number, readonly number[]>();

/** All bytes of some kinds. */
export function bytesOfKinds(kinds: number): readonly number[] {
  let bytes = listedBytes.get(kinds);
  if (bytes === undefined) {
    bytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => (kindOf(byte) & kinds) !== 0);
    listedBytes.set(kinds, bytes);
  }
  return bytes;
}

export function listTextTokens(trie: Trie, dfa: Dfa, state: number, words: number): TextTokens {
  const { byte, end, token, nextDuplicate, parent, size } = trie;
  const open: number[] = [];
  const closing: number[] = [];
  const before = new Int32Array(size + 1);
  const bits = new Uint32Array(words);
  const states = new Int16Array(size).fill(-1);
  states[0] = state;
  let stop = 0;
  for (let node = 1; node < size; node++) {
    before[node] = open.length;
    if (node < stop) continue;
    const next = stepDfa(dfa, states[parent[node] ?? 0] ?? 0, byte[node] ?? 0);
    if (next < 0 || dfa.accepting[next] === 1) {
      if (next >= 0) closing.push(node);
      stop = end[node] ?? size;
      continue;
    }
    states[node] = next;
    for (let id = token[node] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) {
      open.push(id);
      setBit(bits, id);
    }
  }
  before[size] = open.length;
  const height = new Uint8Array(size);
  const kinds = new Uint8Array(size);
  const groups = new Int32Array(size);
  for (let node = size - 1; node > 0; node--) {
    const above = parent[node] ?? 0;
    groups[above] = (groups[above] ?? 0) | (groups[node] ?? 0) | groupOf(byte[node] ?? 0);
    kinds[above] = (kinds[above] ?? 0) | (kinds[node] ?? 0) | kindOf(byte[node] ?? 0);
    height[above] = Math.max(height[above] ?? 0, Math.min(MAX_HEIGHT, (height[node] ?? 0) + 1));
  }
  return {
    ...{ dfa, state, states, before, height, kinds, groups, openBits: countedBits(bits) },
    open: Int32Array.from(open),
    closing: Int32Array.from(closing),
  };
}

const MAX_HEIGHT = 255;
