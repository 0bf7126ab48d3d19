import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';

const encoder = new TextEncoder();

/** Never part of a word: words are JSON, which escapes it. */
const SEPARATOR = 0x0a;

/** Builds the automaton of alternatives of many JSON texts directly: a trie of their bytes. */
export function wordListDfa(words: readonly string[], budget: Budget): Dfa {
  const bytes = encoder.encode(words.map((word) => `${word}\n`).join(''));
  budget.work(bytes.length);
  const classes = new Uint8Array(256);
  const samples = [0];
  for (const byte of bytes) if (byte !== SEPARATOR && classes[byte] === 0) classes[byte] = samples.push(byte) - 1;
  // Column 0 is for all bytes that do not occur.
  samples[0] = Math.max(0, classes.indexOf(0));
  const width = samples.length;

  // One state per byte at most, and the start. Children are linked lists: the last child of each state, and for each state
  // the child before it of the same parent, and the column of its byte.
  const size = bytes.length + 1;
  const lastChild = new Int32Array(size);
  const siblings = new Int32Array(size);
  const columns = new Uint8Array(size);
  const ends = new Uint8Array(size);
  let count = 1;
  let at = 0;
  for (const byte of bytes) {
    if (byte === SEPARATOR) {
      ends[at] = 1;
      at = 0;
      continue;
    }
    const column = classes[byte] ?? 0;
    let next = lastChild[at] ?? 0;
    while (next !== 0 && columns[next] !== column) next = siblings[next] ?? 0;
    if (next === 0) {
      next = count++;
      columns[next] = column;
      siblings[next] = lastChild[at] ?? 0;
      lastChild[at] = next;
    }
    at = next;
  }

  budget.work(count + Math.ceil((count * width) / CELLS_PER_STEP));
  const table = new Int32Array(count * width).fill(-1);
  const accepting = ends.slice(0, count);
  accepting[0] = 0;
  const distance = new Int32Array(count);
  // Children have higher numbers than their parents, so that descending order computes them first.
  for (let state = count - 1; state >= 0; state--) {
    let minDistance = Infinity;
    for (let next = lastChild[state] ?? 0; next !== 0; next = siblings[next] ?? 0) {
      table[state * width + (columns[next] ?? 0)] = next;
      minDistance = Math.min(minDistance, distance[next] ?? 0);
    }
    distance[state] = accepting[state] === 1 ? 0 : minDistance === Infinity ? -1 : minDistance + 1;
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
