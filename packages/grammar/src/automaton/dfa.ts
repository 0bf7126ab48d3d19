import { GrammarError } from '../errors.ts';

/**
 * A deterministic byte automaton. State 0 is the start: nothing leads back to it and it never accepts (`nullable` states
 * whether the empty text matches). Every state can reach an accepting one.
 */
export type Dfa = {
  /** Maps bytes to classes of equivalent bytes. */
  classes: Uint8Array;
  /** The lowest byte of each class. */
  samples: Uint8Array;
  /** The number of classes, which is the width of a row. */
  width: number;
  /** Row by state, column by class: the next state or -1. */
  table: Int32Array;
  accepting: Uint8Array;
  /** The fewest bytes to an accepting state. */
  distance: Int32Array;
  nullable: boolean;
  /** The automaton that it was derived from by excluding texts: token masks are derived from those of that one. */
  derivation?: Derivation;
  /** Used by many grammars: its token masks are kept. */
  isShared?: boolean;
  /** Counts characters beside the states of the table. */
  counter?: Counter;
};

/**
 * A limit of characters without states for each number of them: state `count * n + s` is the state `s` of the `n` in the table
 * after `count` characters. Accepting states have no successors and count nothing.
 */
export type Counter = {
  readonly min: number;
  /** Infinite if only a minimum matters; then characters after it are not counted. */
  readonly max: number;
  /** 1 for states of the table in which a character is complete. */
  readonly isCharacterEnd: Uint8Array;
  /** The automaton without limits. */
  readonly origin: Dfa;
};

export type Derivation = {
  dfa: Dfa;
  /** For each state the one that the same text leads to, or -1. */
  states: Int32Array;
  /** 1 where exactly the same texts follow. */
  isEquivalent: Uint8Array;
};

const encoder = new TextEncoder();

/** The next state, or -1. */
export function stepDfa(dfa: Dfa, state: number, byte: number): number {
  if (dfa.counter !== undefined) return stepCounted(dfa, dfa.counter, state, byte);
  return dfa.table[state * dfa.width + (dfa.classes[byte] ?? 0)] ?? -1;
}

function stepCounted(dfa: Dfa, { min, max, isCharacterEnd }: Counter, state: number, byte: number): number {
  const { table, width, classes, accepting } = dfa;
  const size = accepting.length;
  const tableState = state % size;
  const count = (state - tableState) / size;
  const next = table[tableState * width + (classes[byte] ?? 0)] ?? -1;
  if (next < 0) return -1;
  if (accepting[next] === 1) return count >= min ? next : -1;
  // The opening quote.
  if (tableState === 0) return next;
  if (count >= max) return -1;
  if (isCharacterEnd[next] !== 1) return count * size + next;
  return (max === Infinity ? Math.min(count + 1, min) : count + 1) * size + next;
}

/** The fewest bytes from a state to an accepting one, or -1. */
export function distanceFrom(dfa: Dfa, state: number): number {
  const { counter, distance } = dfa;
  if (counter === undefined) return distance[state] ?? -1;
  const { minRemaining } = remainingLength(dfa, counter, state);
  const tableState = state % distance.length;
  const minBytes = distance[tableState] ?? -1;
  // An incomplete character is counted when it is complete; the other ones have at least one byte each.
  const incomplete = tableState > 0 && counter.isCharacterEnd[tableState] !== 1 ? 1 : 0;
  return dfa.accepting[tableState] === 1 ? minBytes : minBytes + Math.max(0, minRemaining - incomplete);
}

/** A state of the table, with the fewest and the most characters that follow it. */
export type LengthBounds = {
  readonly tableState: number;
  readonly minRemaining: number;
  readonly maxRemaining: number;
};

export function remainingLength({ accepting }: Dfa, { min, max }: Counter, state: number): LengthBounds {
  const tableState = state % accepting.length;
  const count = (state - tableState) / accepting.length;
  return { tableState, minRemaining: Math.max(0, min - count), maxRemaining: max - count };
}

/** An upper limit of the states' numbers. */
export function countStates({ accepting, counter }: Dfa): number {
  if (counter === undefined) return accepting.length;
  return ((counter.max === Infinity ? counter.min : counter.max) + 1) * accepting.length;
}

/** An automaton whose states are all known. Its table may have room for more of them. */
type Draft = Pick<Dfa, 'classes' | 'samples' | 'width' | 'table' | 'nullable'> & {
  readonly accepting: readonly number[];
};

/** Computes the distance to the end from each state, and removes dead ends. */
export function finish(draft: Draft): Dfa {
  const count = draft.accepting.length;
  const accepting = new Uint8Array(draft.accepting);
  const table = draft.table.slice(0, count * draft.width);
  const { begins, sources } = predecessorsOf({ table, width: draft.width, accepting });
  const distance = new Int32Array(count).fill(-1);
  const queue = new Int32Array(count);
  let queued = 0;
  for (let state = 0; state < count; state++) {
    if (accepting[state] === 0) continue;
    distance[state] = 0;
    queue[queued++] = state;
  }
  for (let head = 0; head < queued; head++) {
    const state = queue[head] ?? 0;
    for (let index = begins[state] ?? 0; index < (begins[state + 1] ?? 0); index++) {
      const source = sources[index] ?? 0;
      if (distance[source] !== -1) continue;
      distance[source] = (distance[state] ?? 0) + 1;
      queue[queued++] = source;
    }
  }
  // Removes transitions to dead ends.
  if (queued < count) {
    for (let cell = 0; cell < table.length; cell++) {
      const target = table[cell] ?? -1;
      if (target >= 0 && distance[target] === -1) table[cell] = -1;
    }
  }
  return { ...draft, table, accepting, distance };
}

/** Reused between calls: the source and the target of each transition. */
let transitions = new Int32Array(4096);
/** A larger list is dropped after use: 1 MB. */
const MAX_KEPT_TRANSITIONS = 2 ** 18;

/** The index of the predecessors of each state; adjacent columns with the same target count once. */
export function predecessorsOf({ table, width, accepting }: Pick<Dfa, 'table' | 'width' | 'accepting'>): {
  begins: Int32Array;
  sources: Int32Array;
} {
  const count = accepting.length;
  const begins = new Int32Array(count + 2);
  let found = transitions;
  let length = 0;
  for (let row = 0, source = 0; row < table.length; row += width, source++) {
    if (found.length < length + 2 * width) {
      const longer = new Int32Array(2 * (length + width));
      longer.set(found);
      found = longer;
    }
    let previous = -1;
    for (let cell = row; cell < row + width; cell++) {
      const target = table[cell] ?? -1;
      if (target === previous) continue;
      previous = target;
      if (target < 0) continue;
      begins[target + 2] = (begins[target + 2] ?? 0) + 1;
      found[length++] = source;
      found[length++] = target;
    }
  }
  // Shifted by one, so that each offset is where the next predecessor is inserted, until all are.
  for (let state = 0; state <= count; state++) begins[state + 1] = (begins[state + 1] ?? 0) + (begins[state] ?? 0);
  const sources = new Int32Array(begins[count + 1] ?? 0);
  for (let at = 0; at < length; at += 2) {
    const target = (found[at + 1] ?? 0) + 1;
    const index = begins[target] ?? 0;
    sources[index] = found[at] ?? 0;
    begins[target] = index + 1;
  }
  if (found.length <= MAX_KEPT_TRANSITIONS) transitions = found;
  return { begins, sources };
}

/** The same automaton with one class for all equivalent bytes, wherever they are. */
export function withFewestClasses(dfa: Dfa): Dfa {
  const ids = new Map<string, number>();
  const samples: number[] = [];
  const columns = Array.from({ length: dfa.width }, (_, column) => {
    const targets = Array.from(dfa.accepting, (_accepts, state) => dfa.table[state * dfa.width + column] ?? -1);
    const key = targets.join();
    const id = ids.get(key) ?? samples.push(dfa.samples[column] ?? 0) - 1;
    ids.set(key, id);
    return id;
  });
  const width = samples.length;
  const table = new Int32Array(dfa.accepting.length * width);
  dfa.accepting.forEach((_, state) => {
    columns.forEach((id, column) => (table[state * width + id] = dfa.table[state * dfa.width + column] ?? -1));
  });
  const classes = dfa.classes.map((column) => columns[column] ?? 0);
  return { ...dfa, classes, samples: Uint8Array.from(samples), width, table };
}

/** Whether no text matches. */
export function isEmptyDfa(dfa: Dfa): boolean {
  return !dfa.nullable && (dfa.distance[0] ?? -1) < 0;
}

export function requireNonEmpty(dfa: Dfa, what: string): Dfa {
  if (isEmptyDfa(dfa)) throw new GrammarError('empty', `no text matches ${what}`);
  return dfa;
}

/** Whether a whole text matches. */
export function matchesDfa(dfa: Dfa, text: string): boolean {
  if (text === '') return dfa.nullable;
  let state = 0;
  for (const byte of encoder.encode(text)) {
    state = stepDfa(dfa, state, byte);
    if (state < 0) return false;
  }
  return dfa.accepting[state] === 1;
}
