import type { Trie } from './trie.ts';

/** What follows several nodes of a trie, merged: equal bytes after them are one node. */
export type Suffixes = {
  /** The nodes of the trie that the same bytes lead to. */
  readonly nodes: readonly number[];
  /** The tokens that end at them. */
  readonly tokens: readonly number[];
  /** Made when they are needed. */
  next: readonly Suffix[] | undefined;
};

export type Suffix = { readonly byte: number; readonly rest: Suffixes };

/** What follows the nodes; tokens that end at them do not count. */
export function suffixesOf(nodes: readonly number[]): Suffixes {
  return { nodes, tokens: [], next: undefined };
}

export function nextSuffixes(suffixes: Suffixes, { byte, end, token, nextDuplicate }: Trie): readonly Suffix[] {
  if (suffixes.next !== undefined) return suffixes.next;
  const found: { byte: number; rest: Draft }[] = [];
  for (const node of suffixes.nodes) {
    const stop = end[node] ?? 0;
    for (let below = node + 1; below < stop; below = end[below] ?? stop) {
      const value = byte[below] ?? 0;
      let rest = drafts[value];
      if (rest === undefined) {
        drafts[value] = rest = { nodes: NONE, tokens: NONE, next: undefined };
        found.push({ byte: value, rest });
      }
      for (let id = token[below] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1)
        rest.tokens = withNumber(rest.tokens, id);
      if ((end[below] ?? 0) > below + 1) rest.nodes = withNumber(rest.nodes, below);
    }
  }
  for (const { byte: value } of found) drafts[value] = undefined;
  return (suffixes.next = found);
}

type Draft = { nodes: number[]; tokens: number[]; next: undefined };
/** Those of the current node by their bytes, reused to avoid garbage. */
const drafts = Array.from<Draft | undefined>({ length: 256 });

/** Not modified: most lists have one number or none. */
const NONE: number[] = [];

function withNumber(list: number[], one: number): number[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}
