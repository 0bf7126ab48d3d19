import type { Trie } from './trie.ts';

/** What follows several nodes of a trie, merged: equal bytes after them are one node. */
export type Suffixes = {
  /** The nodes that the same bytes lead to: those of the list from one index to another. */
  readonly nodes: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Made when it is needed. */
  next: Level | undefined;
};

/** The nodes below some nodes, in groups of the same byte. There are millions of groups, so they are no objects. */
export type Level = {
  readonly nodes: readonly number[];
  /** The index after the last node of each group. */
  readonly ends: readonly number[];
  /** What follows the groups that were continued. */
  readonly continued: Suffixes[];
};

/** What follows the nodes; tokens that end at them do not count. */
export function suffixesOf(nodes: readonly number[]): Suffixes {
  return { nodes, from: 0, to: nodes.length, next: undefined };
}

/** What follows a group of nodes; `undefined` if nothing does. */
export function suffixesOfGroup(level: Level, from: number, to: number, { end }: Trie): Suffixes | undefined {
  for (const known of level.continued) if (known.from === from) return known;
  const { nodes } = level;
  for (let at = from; at < to; at++) {
    const node = nodes[at] ?? 0;
    if ((end[node] ?? 0) === node + 1) continue;
    const suffixes: Suffixes = { nodes, from, to, next: undefined };
    level.continued.push(suffixes);
    return suffixes;
  }
  return undefined;
}

// Of the current nodes, reused to avoid garbage: those below them, and by byte their number, and then their place in the list.
const children: number[] = [];
const places = new Int32Array(256);

export function levelBelow(suffixes: Suffixes, { byte, end }: Trie): Level {
  if (suffixes.next !== undefined) return suffixes.next;
  const { from, to } = suffixes;
  const values: number[] = [];
  children.length = 0;
  for (let at = from; at < to; at++) {
    const node = suffixes.nodes[at] ?? 0;
    const stop = end[node] ?? 0;
    for (let below = node + 1; below < stop; below = end[below] ?? stop) {
      const value = byte[below] ?? 0;
      if (places[value] === 0) values.push(value);
      places[value] = (places[value] ?? 0) + 1;
      children.push(below);
    }
  }
  let size = 0;
  const ends = values.map((value) => {
    const begin = size;
    size += places[value] ?? 0;
    places[value] = begin;
    return size;
  });
  const nodes = children.slice();
  for (const node of children) {
    const value = byte[node] ?? 0;
    const place = places[value] ?? 0;
    nodes[place] = node;
    places[value] = place + 1;
  }
  for (const value of values) places[value] = 0;
  return (suffixes.next = { nodes, ends, continued: [] });
}
