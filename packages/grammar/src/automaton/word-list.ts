import type { Budget } from '../budget.ts';
import { finish } from './dfa.ts';
import type { Dfa } from './dfa.ts';

const encoder = new TextEncoder();

/** The automaton of one of many texts: a tree by their bytes, made without a detour through choices. */
export function wordListDfa(words: readonly string[], budget: Budget): Dfa {
  const classes = new Uint8Array(256);
  const samples = [0];
  const next: Map<number, number>[] = [new Map<number, number>()];
  const ends = new Set<number>();
  for (const word of words) {
    let at = 0;
    for (const byte of encoder.encode(word)) {
      if (classes[byte] === 0) classes[byte] = samples.push(byte) - 1;
      const column = classes[byte] ?? 0;
      const edges = next[at];
      let target = edges?.get(column);
      if (target === undefined) {
        target = next.push(new Map<number, number>()) - 1;
        edges?.set(column, target);
        budget.work(2);
      }
      at = target;
    }
    ends.add(at);
  }
  // Column 0 is for all bytes that do not occur.
  samples[0] = Math.max(0, classes.indexOf(0));
  const width = samples.length;
  const table = new Int32Array(next.length * width).fill(-1);
  next.forEach((edges, state) => {
    for (const [column, target] of edges) table[state * width + column] = target;
  });
  const nullable = ends.delete(0);
  const accepting = Uint8Array.from(next, (_, state) => (ends.has(state) ? 1 : 0));
  return finish({ classes, samples: Uint8Array.from(samples), width, table, accepting, nullable });
}
