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
  const found = new Map<number, { nodes: number[]; tokens: number[]; next: undefined }>();
  for (const node of suffixes.nodes) {
    const stop = end[node] ?? 0;
    for (let below = node + 1; below < stop; below = end[below] ?? stop) {
      const value = byte[below] ?? 0;
      let rest = found.get(value);
      if (rest === undefined) found.set(value, (rest = { nodes: [], tokens: [], next: undefined }));
      for (let id = token[below] ?? -1; id >= 0; id = nextDuplicate[id] ?? -1) rest.tokens.push(id);
      if ((end[below] ?? 0) > below + 1) rest.nodes.push(below);
    }
  }
  return (suffixes.next = Array.from(found, ([value, rest]) => ({ byte: value, rest })));
}
