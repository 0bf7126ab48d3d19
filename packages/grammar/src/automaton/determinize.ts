import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { trim } from './dfa.ts';
import type { Dfa } from './dfa.ts';
import { buildNfa } from './nfa.ts';
import type { Encoding, Nfa } from './nfa.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { createSets } from './state-sets.ts';

export function compilePattern(pattern: Pattern, budget: Budget, encoding?: Encoding): Dfa {
  return runSteps(compilePatternSteps(pattern, budget, encoding));
}

export function compilePatternSteps(pattern: Pattern, budget: Budget, encoding?: Encoding): Steps<Dfa> {
  return determinize(buildNfa(pattern, budget, encoding), budget);
}

/** Groups bytes into classes that no edge distinguishes. */
function byteClasses({ edgeLow, edgeHigh }: Nfa): { classes: Uint8Array; samples: Uint8Array } {
  const starts = new Uint8Array(257);
  starts[0] = 1;
  for (let i = 0; i < edgeLow.length; i++) {
    starts[edgeLow[i] ?? 0] = 1;
    starts[(edgeHigh[i] ?? 0) + 1] = 1;
  }
  const classes = new Uint8Array(256);
  const samples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (starts[byte] === 1) samples.push(byte);
    classes[byte] = samples.length - 1;
  }
  return { classes, samples: Uint8Array.from(samples) };
}

/** Subset construction. It is complete rather than lazy, so that limits apply before generation and dead states can be removed. */
export function* determinize(nfa: Nfa, budget: Budget): Steps<Dfa> {
  const { classes, samples } = byteClasses(nfa);
  const width = samples.length;
  const { lastEdge, previousEdge, edgeTo, edgeLow, edgeHigh } = nfa;
  const sets = createSets(nfa, budget);
  const accepting: number[] = [];
  let table = new Int32Array(64 * width).fill(-1);

  /** The state of the closure of the first `count` targets in `from`. Equal closures are one state. */
  const stateOf = (from: readonly number[], count: number): number => {
    const id = sets.closureOf(from, count);
    if (id === accepting.length) {
      budget.addStates(1);
      accepting.push(sets.isAccepting(id) ? 1 : 0);
    }
    return id;
  };

  // The start is a separate state: conditions that hold only at the start of the text must not hold again.
  const { nullable } = sets.addStart();
  accepting.push(0);

  // The targets of the current state in each column, and how many there are. The arrays are never shortened, because a shortened one
  // would allocate again for the next state.
  const targets: number[][] = Array.from({ length: width }, () => []);
  const counts = new Int32Array(width);
  const stepFrom = (id: number): void => {
    counts.fill(0);
    let pushed = 0;
    for (let at = sets.begin(id), end = sets.begin(id + 1); at < end; at++) {
      for (let edge = lastEdge[sets.member(at)] ?? -1; edge >= 0; edge = previousEdge[edge] ?? -1) {
        const target = edgeTo[edge] ?? 0;
        const last = classes[edgeHigh[edge] ?? 0] ?? 0;
        for (let column = classes[edgeLow[edge] ?? 0] ?? 0; column <= last; column++) {
          const list = targets[column];
          const count = counts[column] ?? 0;
          if (list !== undefined) list[count] = target;
          counts[column] = count + 1;
          pushed++;
        }
      }
    }
    budget.addWork(pushed + Math.ceil(width / CELLS_PER_STEP));
    if (table.length < (id + 1) * width) {
      const larger = new Int32Array(table.length * 2).fill(-1);
      larger.set(table);
      table = larger;
    }
    for (let column = 0; column < width; column++) {
      const list = targets[column];
      const count = counts[column] ?? 0;
      if (list === undefined || count === 0) continue;
      const equalColumn = findEqualColumn(targets, counts, column);
      table[id * width + column] = equalColumn < 0 ? stateOf(list, count) : (table[id * width + equalColumn] ?? -1);
    }
  };
  for (let id = 0; id < accepting.length; id++) {
    stepFrom(id);
    if (budget.isPauseDue()) yield;
  }
  return trim({ classes, samples, width, table, accepting, nullable });
}

/** Finds a column with the same targets among the four before, where adjacent byte ranges usually have one; -1 if there is none. */
function findEqualColumn(targets: readonly (readonly number[])[], counts: Int32Array, column: number): number {
  const columnTargets = targets[column] ?? [];
  const length = counts[column] ?? 0;
  for (let previous = column - 1; previous >= 0 && previous >= column - 4; previous--) {
    if (counts[previous] !== length) continue;
    const other = targets[previous] ?? [];
    let index = 0;
    while (index < length && columnTargets[index] === other[index]) index++;
    if (index === length) return previous;
  }
  return -1;
}
