import type { Trie } from './trie.ts';

/**
 * The subtrees below several nodes of a trie, merged into one tree: children with equal bytes form a group. Each tree is a single array,
 * because there are millions of groups, which the garbage collector would otherwise visit one by one.
 */
export type Suffixes = {
  /** The roots of the subtrees, in ascending order. */
  readonly nodes: Int32Array;
  /**
   * The levels that have been requested. The first element refers to the level below the roots. A level consists of its number of groups;
   * for each group, the index after its last node and a reference to the level below it; and all nodes in the order of the groups.
   */
  tree: Int32Array;
  /** The length of the used part of `tree`. */
  size: number;
};

/** References to a level that has not been requested yet, and to one without nodes. */
const NOT_COMPUTED = 0;
const NO_LEVEL = -1;

/** The suffixes of tokens that pass through the nodes. A token that ends at a node has none. */
export function suffixesOf(nodes: Int32Array): Suffixes {
  return { nodes, tree: new Int32Array(1), size: 1 };
}

/** Drops all levels. They are computed again when they are requested. */
export function clearLevels(suffixes: Suffixes): void {
  suffixes.tree = new Int32Array(1);
  suffixes.size = 1;
}

/** The level below the roots, or a negative number if they have no children. */
export function firstLevel(suffixes: Suffixes, trie: Trie): number {
  const known = suffixes.tree[0] ?? NOT_COMPUTED;
  if (known !== NOT_COMPUTED) return known;
  return addLevel(suffixes, 0, { nodes: suffixes.nodes, from: 0, to: suffixes.nodes.length }, trie);
}

/** The index of the entry of a group in a level. Its nodes start where those of the previous group end. */
export function groupAt(level: number, group: number): number {
  return level + 1 + 2 * group;
}

/** The level below the nodes of a group, the first of which is at `begin`; a negative number if they have no children. */
export function levelBelow(suffixes: Suffixes, entry: number, begin: number, trie: Trie): number {
  const { tree } = suffixes;
  const known = tree[entry + 1] ?? NOT_COMPUTED;
  if (known !== NOT_COMPUTED) return known;
  return addLevel(suffixes, entry + 1, { nodes: tree, from: begin, to: tree[entry] ?? begin }, trie);
}

// Reused between calls to avoid allocations: the children of the current nodes, and their distinct bytes. For each byte, `indices` is first
// the number of children, and later the index of the next child in the sorted list.
let children = new Int32Array(1024);
const values = new Uint8Array(256);
const indices = new Int32Array(256);

type Range = { readonly nodes: Int32Array; readonly from: number; readonly to: number };

function addLevel(suffixes: Suffixes, reference: number, { nodes, from, to }: Range, { byte, end }: Trie): number {
  let count = 0;
  let groups = 0;
  for (let at = from; at < to; at++) {
    const node = nodes[at] ?? 0;
    const stop = end[node] ?? 0;
    for (let child = node + 1; child < stop; child = end[child] ?? stop) {
      const value = byte[child] ?? 0;
      if (indices[value] === 0) values[groups++] = value;
      indices[value] = (indices[value] ?? 0) + 1;
      if (count === children.length) children = extended(children, count * 2);
      children[count++] = child;
    }
  }
  if (count === 0) return (suffixes.tree[reference] = NO_LEVEL);
  const level = suffixes.size;
  let begin = groupAt(level, groups);
  const size = begin + count;
  if (suffixes.tree.length < size) {
    suffixes.tree = extended(suffixes.tree, Math.max(size, Math.ceil(suffixes.tree.length * 1.5)));
  }
  const { tree } = suffixes;
  tree[reference] = level;
  tree[level] = groups;
  for (let group = 0; group < groups; group++) {
    const value = values[group] ?? 0;
    const first = begin;
    begin += indices[value] ?? 0;
    indices[value] = first;
    tree[groupAt(level, group)] = begin;
  }
  suffixes.size = size;
  for (let at = 0; at < count; at++) {
    const node = children[at] ?? 0;
    const value = byte[node] ?? 0;
    const index = indices[value] ?? 0;
    tree[index] = node;
    indices[value] = index + 1;
  }
  for (let group = 0; group < groups; group++) indices[values[group] ?? 0] = 0;
  return level;
}

function extended(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(numbers);
  return longer;
}
