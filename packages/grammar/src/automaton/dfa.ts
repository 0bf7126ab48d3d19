import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Pattern } from '../pattern/pattern.ts';
import { buildNfa } from './nfa.ts';
import type { Encoding, Nfa } from './nfa.ts';

/**
 * A deterministic byte automaton. State 0 is the start: nothing leads back to it and it never accepts (`nullable` says
 * whether the empty text fits as well). Every state can still reach an accepting one.
 */
export type Dfa = {
  /** Byte to class: bytes of a class behave alike. */
  classes: Uint8Array;
  /** A byte of each class, the least. */
  samples: Uint8Array;
  /** Classes, which is also the width of a row. */
  width: number;
  /** Row of a state, column of a class: the next state or -1. */
  table: Int32Array;
  accepting: Uint8Array;
  /** The fewest bytes to an accepting state. */
  distance: Int32Array;
  nullable: boolean;
};

/** The next state, or -1. */
export function stepDfa(dfa: Dfa, state: number, byte: number): number {
  return dfa.table[state * dfa.width + (dfa.classes[byte] ?? 0)] ?? -1;
}

export function compilePattern(pattern: Pattern, budget: Budget, encoding?: Encoding): Dfa {
  return determinise(buildNfa(pattern, budget, encoding), budget);
}

/** Groups bytes that no edge tells apart. */
function byteClasses(nfa: Nfa): { classes: Uint8Array; samples: Uint8Array } {
  const starts = new Uint8Array(257);
  starts[0] = 1;
  for (const { edges } of nfa.states) {
    for (let i = 0; i < edges.length; i += 3) {
      starts[edges[i] ?? 0] = 1;
      starts[(edges[i + 1] ?? 0) + 1] = 1;
    }
  }
  const classes = new Uint8Array(256);
  const samples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (starts[byte] === 1) samples.push(byte);
    classes[byte] = samples.length - 1;
  }
  return { classes, samples: Uint8Array.from(samples) };
}

/** By subsets, all at once: limits hold before anything is decoded, and dead ends can be cut. */
export function determinise(nfa: Nfa, budget: Budget): Dfa {
  const { classes, samples } = byteClasses(nfa);
  const width = samples.length;
  const { states } = nfa;
  const mark = new Int32Array(states.length).fill(-1);
  let round = 0;

  /** What is reached without a byte, written in order; only states that matter are kept. */
  const closure = (from: readonly number[], edge: 'start' | 'end' | 'middle'): number[] => {
    round++;
    const stack = from.slice();
    const kept: number[] = [];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (mark[index] === round) continue;
      mark[index] = round;
      const state = states[index];
      if (state === undefined) continue;
      if (state.edges.length > 0 || state.atEnd.length > 0 || index === nfa.end) kept.push(index);
      stack.push(...state.empty);
      if (edge !== 'middle') stack.push(...state.atEnd);
      if (edge === 'start') stack.push(...state.atStart);
    }
    budget.work(kept.length * 3 + 1);
    return kept.sort((a, b) => a - b);
  };
  const ends = (set: readonly number[]): boolean =>
    set.includes(nfa.end) ||
    (set.some((index) => (states[index]?.atEnd.length ?? 0) > 0) && closure(set, 'end').includes(nfa.end));

  const sets: number[][] = [];
  const known = new Map<string, number>();
  const accepting: number[] = [];
  const rows: number[] = [];
  const intern = (set: number[]): number => {
    const key = set.join(',');
    let id = known.get(key);
    if (id === undefined) {
      budget.states(1);
      id = sets.push(set) - 1;
      known.set(key, id);
      accepting.push(ends(set) ? 1 : 0);
    }
    return id;
  };

  // The start is a state of its own: what only holds at the start of the text must not hold again.
  const first = closure(openStart(nfa), 'middle');
  sets.push(first);
  accepting.push(0);
  const nullable = closure([nfa.start], 'start').includes(nfa.end);
  const buckets: number[][] = Array.from({ length: width }, () => []);
  for (let id = 0; id < sets.length; id++) {
    for (const bucket of buckets) bucket.length = 0;
    for (const index of sets[id] ?? []) {
      const edges = states[index]?.edges ?? [];
      for (let i = 0; i < edges.length; i += 3) {
        const to = classes[edges[i + 1] ?? 0] ?? 0;
        for (let column = classes[edges[i] ?? 0] ?? 0; column <= to; column++) buckets[column]?.push(edges[i + 2] ?? 0);
        budget.work(to);
      }
    }
    let before = '';
    let beforeId = -1;
    for (const bucket of buckets) {
      if (bucket.length === 0) {
        rows.push(-1);
        continue;
      }
      const key = bucket.join(',');
      budget.work(bucket.length * 2 + 1);
      if (key !== before) {
        before = key;
        beforeId = intern(closure(bucket, 'middle'));
      }
      rows.push(beforeId);
    }
  }
  return finish({
    classes,
    samples,
    width,
    table: Int32Array.from(rows),
    accepting: Uint8Array.from(accepting),
    nullable,
  });
}

/** Where the text may begin: through the edges that hold only at the start. */
function openStart(nfa: Nfa): number[] {
  const reached = new Set([nfa.start]);
  for (const index of reached) {
    const state = nfa.states[index];
    for (const next of [...(state?.empty ?? []), ...(state?.atStart ?? [])]) reached.add(next);
  }
  return [...reached];
}

/** Measures the way to the end from each state and cuts what has none. */
export function finish(raw: Omit<Dfa, 'distance'>): Dfa {
  const { table, width, accepting } = raw;
  const count = accepting.length;
  const sources: number[][] = Array.from({ length: count }, () => []);
  for (let state = 0; state < count; state++) {
    let before = -1;
    for (let cell = state * width; cell < (state + 1) * width; cell++) {
      const target = table[cell] ?? -1;
      if (target >= 0 && target !== before) sources[target]?.push(state);
      before = target;
    }
  }
  const distance = new Int32Array(count).fill(-1);
  const queue: number[] = [];
  accepting.forEach((accepts, state) => {
    if (accepts === 0) return;
    distance[state] = 0;
    queue.push(state);
  });
  for (const state of queue) {
    for (const source of sources[state] ?? []) {
      if (distance[source] !== -1) continue;
      distance[source] = (distance[state] ?? 0) + 1;
      queue.push(source);
    }
  }
  for (let cell = 0; cell < table.length; cell++) {
    const target = table[cell] ?? -1;
    if (target >= 0 && distance[target] === -1) table[cell] = -1;
  }
  return { ...raw, distance };
}

/** Whether no text at all fits. */
export function isEmptyDfa(dfa: Dfa): boolean {
  return !dfa.nullable && (dfa.distance[0] ?? -1) < 0;
}

export function requireTexts(dfa: Dfa, what: string): Dfa {
  if (isEmptyDfa(dfa)) throw new GrammarError('empty', `no text fits ${what}`);
  return dfa;
}

/** Whether a whole text fits. */
export function matchesDfa(dfa: Dfa, text: string): boolean {
  if (text === '') return dfa.nullable;
  let state = 0;
  for (const byte of new TextEncoder().encode(text)) {
    state = stepDfa(dfa, state, byte);
    if (state < 0) return false;
  }
  return dfa.accepting[state] === 1;
}
