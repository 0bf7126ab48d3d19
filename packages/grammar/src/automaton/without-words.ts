import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { stepDfa } from './dfa.ts';
import type { Dfa } from './dfa.ts';
import type { WordTrie } from './word-trie.ts';

/** Adds the cost of `withoutWordsDfa` to the budget before it is built. */
export function chargeWithoutWords({ accepting, width }: Dfa, { size, bytes }: WordTrie, budget: Budget): void {
  const count = size + accepting.length;
  budget.addStates(count);
  const maxWidth = Math.min(256, width + new Set(bytes.subarray(1, size)).size);
  budget.addWork(count + Math.ceil((count * maxWidth) / CELLS_PER_STEP));
}

/**
 * The automaton of the texts of `text` that are not in a list of words. Its states are one for each prefix of a word, followed by those of
 * `text`. `text` must allow another continuation after each prefix, and nothing after a complete text.
 */
export function withoutWordsDfa(text: Dfa, { size, bytes, parents, ends }: WordTrie): Dfa {
  const { classes, samples, columns } = classesWith(text, bytes.subarray(1, size));
  const width = samples.length;
  // The state of `text` for each state of the result, or -1.
  const origins = new Int32Array(size + text.accepting.length);
  for (let node = 1; node < size; node++) {
    const above = origins[parents[node] ?? 0] ?? -1;
    origins[node] = above < 0 ? -1 : stepDfa(text, above, bytes[node] ?? 0);
  }
  for (let state = 0; state < text.accepting.length; state++) origins[size + state] = state;
  const table = new Int32Array(origins.length * width).fill(-1);
  const accepting = new Uint8Array(origins.length);
  const distance = new Int32Array(origins.length).fill(-1);
  const isEquivalent = new Uint8Array(origins.length).fill(1, size);
  for (let state = 0; state < origins.length; state++) {
    const origin = origins[state] ?? -1;
    if (origin < 0) continue;
    const row = state * width;
    for (let column = 0; column < width; column++) {
      const target = text.table[origin * text.width + (columns[column] ?? 0)] ?? -1;
      if (target >= 0) table[row + column] = size + target;
    }
    if (state < size) continue;
    accepting[state] = text.accepting[origin] ?? 0;
    distance[state] = text.distance[origin] ?? -1;
  }
  for (let node = size - 1; node > 0; node--) {
    if ((origins[node] ?? -1) < 0) continue;
    table[(parents[node] ?? 0) * width + (classes[bytes[node] ?? 0] ?? 0)] = ends[node] === 1 ? -1 : node;
  }
  // In descending order, so that children are computed before their parents.
  for (let node = size - 1; node >= 0; node--) {
    let minDistance = Infinity;
    for (let cell = node * width; cell < (node + 1) * width; cell++) {
      const target = table[cell] ?? -1;
      if (target >= 0) minDistance = Math.min(minDistance, (distance[target] ?? 0) + 1);
    }
    distance[node] = minDistance === Infinity ? -1 : minDistance;
  }
  return {
    ...{ classes, samples, width, table, accepting, distance, nullable: false },
    derivation: { dfa: text, states: origins, isEquivalent },
  };
}

/** The byte classes of an automaton, split so that each of `separateBytes` has its own class, and the original class of each. */
function classesWith(
  dfa: Dfa,
  separateBytes: Uint8Array,
): { classes: Uint8Array; samples: Uint8Array; columns: Uint8Array } {
  const ids = new Map<number, number>();
  const classes = new Uint8Array(256);
  const samples: number[] = [];
  const isSeparate = new Uint8Array(256);
  for (const byte of separateBytes) isSeparate[byte] = 1;
  for (let byte = 0; byte < 256; byte++) {
    const key = isSeparate[byte] === 1 ? -byte - 1 : (dfa.classes[byte] ?? 0);
    let id = ids.get(key);
    if (id === undefined) ids.set(key, (id = samples.push(byte) - 1));
    classes[byte] = id;
  }
  return {
    classes,
    samples: Uint8Array.from(samples),
    columns: Uint8Array.from(samples, (byte) => dfa.classes[byte] ?? 0),
  };
}
