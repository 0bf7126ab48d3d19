import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';

const encoder = new TextEncoder();
const SPACE = 0x20;
/** Minimum steps of work for an automaton. */
const MIN_AUTOMATON_WORK = 60;

/** Adds the cost of `literalDfa` to the budget before it is built. Returns the minimum length of its texts in bytes. */
export function chargeLiteral(pieces: readonly string[], budget: Budget): number {
  isCounted.fill(0);
  distinctBytes = 0;
  let bytes = 0;
  for (const piece of pieces) bytes += countBytes(piece);
  const count = bytes + pieces.length;
  const width = 2 + distinctBytes;
  budget.addWork(MIN_AUTOMATON_WORK + count * 2 + Math.ceil((count * width) / CELLS_PER_STEP));
  return bytes;
}

/** 1 for each byte that occurs in the texts of the current call, and the number of such bytes. Reused between calls. */
const isCounted = new Uint8Array(256);
let distinctBytes = 0;

function countDistinct(byte: number): void {
  if (isCounted[byte] === 1) return;
  isCounted[byte] = 1;
  distinctBytes++;
}

/** Returns the number of bytes of a text in UTF-8, and counts its distinct bytes. */
function countBytes(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return countEncoded(encoder.encode(text));
    countDistinct(code);
  }
  return text.length;
}

function countEncoded(bytes: Uint8Array): number {
  for (const byte of bytes) countDistinct(byte);
  return bytes.length;
}

/**
 * Builds the automaton of a literal text directly instead of by subset construction, because a schema has thousands of them. A space
 * is optional between two pieces, and after a piece that is followed by an empty one.
 */
export function literalDfa(pieces: readonly string[]): Dfa {
  const bytes: number[] = [];
  const optional: boolean[] = [];
  pieces.forEach((piece, index) => {
    if (index > 0) {
      bytes.push(SPACE);
      optional.push(true);
    }
    for (const byte of encoder.encode(piece)) {
      bytes.push(byte);
      optional.push(false);
    }
  });
  const count = bytes.length + 1;
  // Column 0 is for all bytes that do not occur: it has no transitions.
  const classes = new Uint8Array(256);
  const samples = [0];
  for (const byte of bytes) if (classes[byte] === 0) classes[byte] = samples.push(byte) - 1;
  samples[0] = Math.max(0, classes.indexOf(0));
  const width = samples.length;
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  const distance = new Int32Array(count);
  accepting[count - 1] = 1;
  for (let at = count - 2; at >= 0; at--) {
    const skips = optional[at] === true;
    distance[at] = (distance[at + 1] ?? 0) + (skips ? 0 : 1);
    if (skips && at === count - 2) accepting[at] = 1;
    if (skips && at + 1 < bytes.length) table[at * width + (classes[bytes[at + 1] ?? 0] ?? 0)] = at + 2;
    table[at * width + (classes[bytes[at] ?? 0] ?? 0)] = at + 1;
  }
  return { classes, samples: Uint8Array.from(samples), width, table, accepting, distance, nullable: false };
}
