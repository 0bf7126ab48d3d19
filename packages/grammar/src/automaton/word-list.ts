import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';

const encoder = new TextEncoder();

/** In no word: words are JSON, in which it is escaped. */
const BETWEEN = 0x0a;

/** Builds the automaton of alternatives of many JSON texts directly: a trie of their bytes. */
export function wordListDfa(words: readonly string[], budget: Budget): Dfa {
  const bytes = encoder.encode(words.map((word) => `${word}\n`).join(''));
  budget.work(bytes.length);
  const classes = new Uint8Array(256);
  const samples = [0];
  for (const byte of bytes) if (byte !== BETWEEN && classes[byte] === 0) classes[byte] = samples.push(byte) - 1;
  // Column 0 is for all bytes that do not occur.
  samples[0] = Math.max(0, classes.indexOf(0));
  const width = samples.length;

  // For each state its last successor, the previous one of the same state, and the column between: most have one.
  // A state for each byte, and the start.
  const size = bytes.length + 1;
  const lastBehind = new Int32Array(size);
  const siblings = new Int32Array(size);
  const columns = new Uint8Array(size);
  const ends = new Uint8Array(size);
  let count = 1;
  let at = 0;
  for (const byte of bytes) {
    if (byte === BETWEEN) {
      ends[at] = 1;
      at = 0;
      continue;
    }
    const column = classes[byte] ?? 0;
    let next = lastBehind[at] ?? 0;
    while (next !== 0 && columns[next] !== column) next = siblings[next] ?? 0;
    if (next === 0) {
      next = count++;
      columns[next] = column;
      siblings[next] = lastBehind[at] ?? 0;
      lastBehind[at] = next;
    }
    at = next;
  }

  budget.work(count + Math.ceil((count * width) / CELLS_PER_STEP));
  const table = new Int32Array(count * width).fill(-1);
  const accepting = ends.slice(0, count);
  accepting[0] = 0;
  const distance = new Int32Array(count);
  // Successors have higher numbers: from last to first, all successors are known.
  for (let state = count - 1; state >= 0; state--) {
    let least = Infinity;
    for (let next = lastBehind[state] ?? 0; next !== 0; next = siblings[next] ?? 0) {
      table[state * width + (columns[next] ?? 0)] = next;
      least = Math.min(least, distance[next] ?? 0);
    }
    distance[state] = accepting[state] === 1 ? 0 : least === Infinity ? -1 : least + 1;
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
