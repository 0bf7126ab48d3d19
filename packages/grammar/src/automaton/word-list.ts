import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';
import { encodeWords, buildWordTrie, SEPARATOR } from './word-trie.ts';

/** Builds the automaton of a list of JSON texts directly: its states are the nodes of their trie. */
export function wordListDfa(words: readonly string[], budget: Budget): Dfa {
  const encoded = encodeWords(words);
  budget.addWork(encoded.length);
  const classes = new Uint8Array(256);
  const samples = [0];
  for (const byte of encoded) if (byte !== SEPARATOR && classes[byte] === 0) classes[byte] = samples.push(byte) - 1;
  // Column 0 is for all bytes that do not occur.
  samples[0] = Math.max(0, classes.indexOf(0));
  const width = samples.length;

  const { size, bytes, parents, ends } = buildWordTrie(encoded);
  budget.addWork(size + Math.ceil((size * width) / CELLS_PER_STEP));
  const table = new Int32Array(size * width).fill(-1);
  const accepting = ends.slice(0, size);
  accepting[0] = 0;
  const distance = new Int32Array(size).fill(-1);
  // In descending order, so that children are computed before their parents.
  for (let state = size - 1; state > 0; state--) {
    if (accepting[state] === 1) distance[state] = 0;
    const parent = parents[state] ?? 0;
    table[parent * width + (classes[bytes[state] ?? 0] ?? 0)] = state;
    const throughState = (distance[state] ?? 0) + 1;
    const known = distance[parent] ?? -1;
    if (known < 0 || throughState < known) distance[parent] = throughState;
  }
  return {
    classes,
    samples: Uint8Array.from(samples),
    width,
    table,
    accepting,
    distance,
    nullable: ends[0] === 1,
  };
}
