import type { Trie } from './trie.ts';

/** What follows several nodes of a trie, merged: equal bytes after them are one node. */
export type Suffixes = {
  /** The byte that leads here. */
  readonly byte: number;
  /** The nodes of the trie that the same bytes lead to are those of `nodes` from one index to another. */
  readonly nodes: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Whether anything follows. */
  readonly continues: boolean;
  /** Made when they are needed. */
  next: readonly Suffixes[] | undefined;
};

/** What follows the nodes; tokens that end at them do not count. */
export function suffixesOf(nodes: readonly number[]): Suffixes {
  return { byte: 0, nodes, from: 0, to: nodes.length, continues: true, next: undefined };
}

// Of the current nodes, reused to avoid garbage: those below them, and by byte their number, their place in the new list, and whether
// anything follows one of them.
const children: number[] = [];
const counts = new Int32Array(256);
const places = new Int32Array(256);
const continuing = new Uint8Array(256);

export function nextSuffixes(suffixes: Suffixes, { byte, end }: Trie): readonly Suffixes[] {
  if (suffixes.next !== undefined) return suffixes.next;
  const { from, to } = suffixes;
  const values: number[] = [];
  children.length = 0;
  for (let at = from; at < to; at++) {
    const node = suffixes.nodes[at] ?? 0;
    const stop = end[node] ?? 0;
    for (let below = node + 1, after = below; below < stop; below = after) {
      after = end[below] ?? stop;
      const value = byte[below] ?? 0;
      if (counts[value] === 0) {
        values.push(value);
        continuing[value] = 0;
      }
      counts[value] = (counts[value] ?? 0) + 1;
      if (after > below + 1) continuing[value] = 1;
      children.push(below);
    }
  }
  // Lists of a few nodes each would need many times the memory of one list of all of them.
  const nodes = children.slice();
  let begin = 0;
  const next = values.map((value): Suffixes => {
    const first = begin;
    begin += counts[value] ?? 0;
    counts[value] = 0;
    places[value] = first;
    return { byte: value, nodes, from: first, to: begin, continues: continuing[value] === 1, next: undefined };
  });
  if (next.length > 1) {
    for (const node of children) {
      const value = byte[node] ?? 0;
      const place = places[value] ?? 0;
      nodes[place] = node;
      places[value] = place + 1;
    }
  }
  return (suffixes.next = next);
}
