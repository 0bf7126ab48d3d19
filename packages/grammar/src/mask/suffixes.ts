import type { Trie } from './trie.ts';

/**
 * The subtrees below several nodes of a trie, merged into one tree: children of equal bytes are one node, a group. There are millions
 * of groups, which the garbage collector would follow one by one, so each tree is a single array.
 */
export type Suffixes = {
  /** The roots of the subtrees, in ascending order. */
  readonly nodes: Int32Array;
  /**
   * The levels that were requested so far. The first number refers to the level below the roots. Each level begins with its number of
   * groups; then, for each group, come the index after its last node and a reference to the level below it; and then all nodes in the
   * order of the groups.
   */
  tree: Int32Array;
  /** The length of the part of `tree` that is used. */
  size: number;
};

/** References to levels: not requested yet, and without any nodes. */
const NOT_LISTED = 0;
const NO_LEVEL = -1;

/** The suffixes of the tokens that pass through the nodes; tokens that end at a node have none. */
export function suffixesOf(nodes: Int32Array): Suffixes {
  return { nodes, tree: new Int32Array(1), size: 1 };
}

/** Drops the levels. They are listed again when they are requested. */
export function clearLevels(suffixes: Suffixes): void {
  suffixes.tree = new Int32Array(1);
  suffixes.size = 1;
}

/** The level below the roots, or a negative number if they have no children. */
export function firstLevel(suffixes: Suffixes, trie: Trie): number {
  const known = suffixes.tree[0] ?? NOT_LISTED;
  if (known !== NOT_LISTED) return known;
  return addLevel(suffixes, 0, { nodes: suffixes.nodes, from: 0, to: suffixes.nodes.length }, trie);
}

/** The index of a group's entry in a level. Its nodes begin where those of the group before end. */
export function groupAt(level: number, group: number): number {
  return level + 1 + 2 * group;
}

/** The level below the nodes of a group, of which `begin` is the first; a negative number if they have no children. */
export function levelBelow(suffixes: Suffixes, entry: number, begin: number, trie: Trie): number {
  const { tree } = suffixes;
  const known = tree[entry + 1] ?? NOT_LISTED;
  if (known !== NOT_LISTED) return known;
  return addLevel(suffixes, entry + 1, { nodes: tree, from: begin, to: tree[entry] ?? begin }, trie);
}

// Reused between calls, which then allocate less: the children of the current nodes and their different bytes; for each byte the
// number of children with it, and then the index of the next one in the sorted list.
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
