import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';

const encoder = new TextEncoder();
const SPACE = 0x20;
/** Minimum steps of work for an automaton. */
const MIN_AUTOMATON_WORK = 60;

/** Charges the automaton of one text before it is built. Returns the fewest bytes of the text. */
export function chargeLiteral(pieces: readonly string[], budget: Budget): number {
  occurring.fill(0);
  different = 0;
  let bytes = 0;
  for (const piece of pieces) bytes += countBytes(piece);
  const count = bytes + pieces.length;
  const width = 2 + different;
  budget.addWork(MIN_AUTOMATON_WORK + count * 2 + Math.ceil((count * width) / CELLS_PER_STEP));
  return bytes;
}

/** 1 for each byte that occurs in the counted texts, and how many do. */
const occurring = new Uint8Array(256);
let different = 0;

function mark(byte: number): void {
  if (occurring[byte] === 1) return;
  occurring[byte] = 1;
  different++;
}

/** The number of bytes of a text in UTF-8, which are marked in `occurring`. */
function countBytes(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return countEncoded(encoder.encode(text));
    mark(code);
  }
  return text.length;
}

function countEncoded(bytes: Uint8Array): number {
  for (const byte of bytes) mark(byte);
  return bytes.length;
}

/**
 * Builds the automaton of one text directly, because a schema has thousands of them. A space is optional between two pieces of
 * text, and after a piece that is followed by an empty one.
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
  // Column 0 is for all bytes that do not occur; its sample byte leads nowhere.
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
