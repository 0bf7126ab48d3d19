import { expect, it } from 'vitest';
import { firstLevel, clearLevels, groupAt, levelBelow, suffixesOf } from './suffixes.ts';
import type { Suffixes } from './suffixes.ts';
import { buildTrie } from './trie.ts';
import type { Trie } from './trie.ts';

function trieOf(tokens: readonly string[]): Trie {
  const building = buildTrie(tokens.map((token) => new TextEncoder().encode(token)));
  for (;;) {
    const step = building.next();
    if (step.done === true) return step.value;
  }
}

/** The nodes below the root that a byte leads to. */
function nodesOf(trie: Trie, letters: string): Int32Array {
  const codes = new Set(Array.from(letters, (letter) => letter.charCodeAt(0)));
  return Int32Array.from(trie.byte.keys()).filter((node) => trie.depth[node] === 1 && codes.has(trie.byte[node] ?? 0));
}

/** All suffixes with the number of tokens that end in each. */
function listed(trie: Trie, suffixes: Suffixes, level = firstLevel(suffixes, trie), prefix = ''): string[] {
  if (level < 0) return [];
  const groups = suffixes.tree[level] ?? 0;
  const out: string[] = [];
  let stop = groupAt(level, groups);
  for (let group = 0; group < groups; group++) {
    const begin = stop;
    const entry = groupAt(level, group);
    stop = suffixes.tree[entry] ?? 0;
    const nodes = suffixes.tree.slice(begin, stop);
    const text = prefix + String.fromCharCode(trie.byte[nodes[0] ?? 0] ?? 0);
    const tokens = nodes.filter((node) => (trie.token[node] ?? -1) >= 0).length;
    if (tokens > 0) out.push(`${text} ${tokens}`);
    out.push(...listed(trie, suffixes, levelBelow(suffixes, entry, begin, trie), text));
  }
  return out;
}

const trie = trieOf(['a', 'ab', 'abc', 'abd', 'bb', 'bbc', 'bx', 'c', 'cz']);

it('merges the suffixes of tokens that pass through several nodes', () => {
  expect(listed(trie, suffixesOf(nodesOf(trie, 'ab')))).toEqual(['b 2', 'bc 2', 'bd 1', 'x 1']);
});

it('computes each level once, and again after levels were cleared', () => {
  const suffixes = suffixesOf(nodesOf(trie, 'ab'));
  const before = listed(trie, suffixes);
  const { size } = suffixes;
  expect(listed(trie, suffixes)).toEqual(before);
  expect(suffixes.size).toBe(size);
  clearLevels(suffixes);
  expect(suffixes.size).toBe(1);
  expect(listed(trie, suffixes)).toEqual(before);
});

it('has no level for nodes without children', () => {
  expect(listed(trie, suffixesOf(new Int32Array(0)))).toEqual([]);
  const suffixes = suffixesOf(nodesOf(trie, 'c'));
  expect(listed(trie, suffixes)).toEqual(['z 1']);
});
