import type { Trie } from './trie.ts';

/** The subtrees below several nodes of a trie, merged into one tree: children of equal bytes are one node, a group. */
export type Suffixes = {
  /** The roots of the subtrees: the part of the list between two indices. */
  readonly nodes: readonly number[];
  readonly from: number;
  readonly to: number;
  /** The level below, computed on demand. */
  level: Level | undefined;
};

/** The children of some nodes, in groups of equal bytes. Groups are ranges of one list instead of objects, as there are millions. */
export type Level = {
  readonly nodes: readonly number[];
  /** The index after the last node of each group. */
  readonly ends: readonly number[];
  /** The subtrees of the groups that were requested so far. */
  readonly subtrees: Suffixes[];
};

/** The suffixes of the tokens that pass through the nodes; tokens that end at a node have none. */
export function suffixesOf(nodes: readonly number[]): Suffixes {
  return { nodes, from: 0, to: nodes.length, level: undefined };
}

/** The suffixes below a group of nodes; `undefined` if none of the nodes has children. */
export function suffixesOfGroup(level: Level, from: number, to: number, { end }: Trie): Suffixes | undefined {
  for (const subtree of level.subtrees) if (subtree.from === from) return subtree;
  const { nodes } = level;
  for (let at = from; at < to; at++) {
    const node = nodes[at] ?? 0;
    if ((end[node] ?? 0) === node + 1) continue;
    const suffixes: Suffixes = { nodes, from, to, level: undefined };
    level.subtrees.push(suffixes);
    return suffixes;
  }
  return undefined;
}

// Reused between calls, which then allocate less: the children of the current nodes; for each byte the number of children with it,
// and then the index of the next one in the sorted list.
const children: number[] = [];
const indices = new Int32Array(256);

export function levelBelow(suffixes: Suffixes, { byte, end }: Trie): Level {
  if (suffixes.level !== undefined) return suffixes.level;
  const { from, to } = suffixes;
  const values: number[] = [];
  children.length = 0;
  for (let at = from; at < to; at++) {
    const node = suffixes.nodes[at] ?? 0;
    const stop = end[node] ?? 0;
    for (let child = node + 1; child < stop; child = end[child] ?? stop) {
      const value = byte[child] ?? 0;
      if (indices[value] === 0) values.push(value);
      indices[value] = (indices[value] ?? 0) + 1;
      children.push(child);
    }
  }
  let size = 0;
  const ends = values.map((value) => {
    const begin = size;
    size += indices[value] ?? 0;
    indices[value] = begin;
    return size;
  });
  const nodes = children.slice();
  for (const node of children) {
    const value = byte[node] ?? 0;
    const index = indices[value] ?? 0;
    nodes[index] = node;
    indices[value] = index + 1;
  }
  for (const value of values) indices[value] = 0;
  return (suffixes.level = { nodes, ends, subtrees: [] });
}
