import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';

const QUOTE = 0x22;

/**
 * Adds quotes around the automaton of the content of a JSON string. They are not added to the expression, because its anchors refer to
 * the ends of the content. Within the content, a quote only follows a backslash, where no text can end, so that the transitions do not
 * conflict.
 */
export function quoteDfa(inner: Dfa, budget: Budget): Dfa {
  const count = inner.accepting.length;
  budget.addStates(2);
  budget.addWork(Math.ceil(inner.table.length / CELLS_PER_STEP));
  const classes = Uint8Array.from(inner.classes);
  const quoteColumn = inner.width;
  const innerColumn = inner.classes[QUOTE] ?? 0;
  classes[QUOTE] = quoteColumn;
  const width = inner.width + 1;
  // State 0 is before the opening quote, 1 to `count` are the states of the content, and the last is after the closing quote.
  const last = count + 1;
  const table = new Int32Array((count + 2) * width).fill(-1);
  const accepting = new Uint8Array(count + 2);
  accepting[last] = 1;
  table[quoteColumn] = 1;
  for (let state = 0; state < count; state++) {
    const from = state * inner.width;
    const to = (state + 1) * width;
    for (let column = 0; column < inner.width; column++) {
      const target = inner.table[from + column] ?? -1;
      if (target >= 0) table[to + column] = target + 1;
    }
    const escaped = inner.table[from + innerColumn] ?? -1;
    const mayClose = state === 0 ? inner.nullable : inner.accepting[state] === 1;
    table[to + quoteColumn] = mayClose ? last : escaped < 0 ? -1 : escaped + 1;
  }
  const samples = Uint8Array.from([...inner.samples, QUOTE]);
  return { classes, samples, width, table, accepting, distance: quotedDistance(inner), nullable: false };
}

/** The distances of the content plus the quotes; dead states remain -1. */
function quotedDistance(inner: Dfa): Int32Array {
  const count = inner.accepting.length;
  const distance = new Int32Array(count + 2);
  for (let state = 0; state < count; state++) {
    const contentDistance = state === 0 && inner.nullable ? 0 : (inner.distance[state] ?? -1);
    distance[state + 1] = contentDistance < 0 ? -1 : contentDistance + 1;
  }
  const first = distance[1] ?? -1;
  distance[0] = first < 0 ? -1 : first + 1;
  return distance;
}
