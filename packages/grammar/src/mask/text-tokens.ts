import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { countedBits, setBit } from './token-set.ts';
import type { TokenBits } from './token-set.ts';
import type { Trie } from './trie.ts';

/** What a vocabulary offers within unrestricted text, from a state of its automaton on. */
export type TextTokens = {
  readonly dfa: Dfa;
  readonly state: number;
  /** The tokens that stay within the text, in the order of the trie. */
  readonly open: Int32Array;
  /** For each node of the trie, how many of them come before it; one entry more than nodes. */
  readonly before: Int32Array;
  readonly openBits: TokenBits;
  /** The nodes at which the text ends, in ascending order. */
  readonly closing: Int32Array;
  /** The most bytes below each node. */
  readonly height: Uint8Array;
  /** The smallest alphabet of all bytes below each node, as an index of `ALPHABETS`. */
  readonly alphabet: Uint8Array;
};

const isAlphanumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/** Bytes that restricted strings often allow together, each a part of the next; the last are all. */
export const ALPHABETS: readonly ((byte: number) => boolean)[] = [
  isAlphanumeric,
  (byte) => isAlphanumeric(byte) || byte >= 0x80,
  () => true,
];

export function listTextTokens(trie: Trie, dfa: Dfa, state: number, words: number): TextTokens {
  const { byte, depth, end, token, alike, parent, size } = trie;
  const open: number[] = [];
  const closing: number[] = [];
  const before = new Int32Array(size + 1);
  const bits = new Uint32Array(words);
  const states = [state];
  let stop = 0;
  for (let node = 1; node < size; node++) {
    before[node] = open.length;
    if (node < stop) continue;
    const level = depth[node] ?? 1;
    const next = stepDfa(dfa, states[level - 1] ?? 0, byte[node] ?? 0);
    if (next < 0 || dfa.accepting[next] === 1) {
      if (next >= 0) closing.push(node);
      stop = end[node] ?? size;
      continue;
    }
    states[level] = next;
    for (let id = token[node] ?? -1; id >= 0; id = alike[id] ?? -1) {
      open.push(id);
      setBit(bits, id);
    }
  }
  before[size] = open.length;
  const height = new Uint8Array(size);
  const alphabet = new Uint8Array(size);
  for (let node = size - 1; node > 0; node--) {
    const above = parent[node] ?? 0;
    const value = byte[node] ?? 0;
    const own = isAlphanumeric(value) ? 0 : value >= 0x80 ? 1 : 2;
    alphabet[above] = Math.max(alphabet[above] ?? 0, alphabet[node] ?? 0, own);
    height[above] = Math.max(height[above] ?? 0, Math.min(MAX_HEIGHT, (height[node] ?? 0) + 1));
  }
  return {
    ...{ dfa, state, before, height, alphabet, openBits: countedBits(bits) },
    open: Int32Array.from(open),
    closing: Int32Array.from(closing),
  };
}

const MAX_HEIGHT = 255;
