import { GrammarError } from '../errors.ts';

/**
 * A deterministic automaton over bytes. State 0 is the start: no transition leads back to it, and it never accepts (`nullable` tells
 * whether the empty text matches). Every transition leads to a state from which an accepting state can be reached.
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
  /** The minimum number of bytes from each state to an accepting state, or -1 if none can be reached. */
  distance: Int32Array;
  nullable: boolean;
  /** Set if the automaton was made by excluding texts from another one: its token masks are derived from those of the other. */
  derivation?: Derivation;
  /** Whether many grammars use the automaton, so that its token masks are kept. */
  isShared?: boolean;
  /** Limits the number of characters without states for each number. */
  counter?: Counter;
};

/**
 * A limit on the number of characters. With `n` states in the table, the number `count * n + s` stands for state `s` after `count`
 * characters. Accepting states have no successors and carry no count.
 */
export type Counter = {
  readonly min: number;
  /** `Infinity` if there is only a minimum: then characters beyond it are not counted. */
  readonly max: number;
  /** 1 for each state of the table in which a character is complete. */
  readonly isCharacterEnd: Uint8Array;
  /** The automaton without limits. */
  readonly origin: Dfa;
};

type Derivation = {
  dfa: Dfa;
  /** For each state, the state of `dfa` after the same text, or -1. */
  states: Int32Array;
  /** 1 for each state whose continuations are the same as in `dfa`. */
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

/** The minimum number of bytes from a state to an accepting state, or -1. */
export function distanceFrom(dfa: Dfa, state: number): number {
  const { counter, distance } = dfa;
  if (counter === undefined) return distance[state] ?? -1;
  const { minRemaining } = remainingLength(dfa, counter, state);
  const tableState = state % distance.length;
  const minBytes = distance[tableState] ?? -1;
  // An incomplete character is not counted yet, and its bytes are part of `minBytes`. The others have at least one byte each.
  const incomplete = tableState > 0 && counter.isCharacterEnd[tableState] !== 1 ? 1 : 0;
  return dfa.accepting[tableState] === 1 ? minBytes : minBytes + Math.max(0, minRemaining - incomplete);
}

/** A state of the table, with the minimum and maximum number of characters that can follow. */
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

/** An upper bound of the state numbers, including those of a counter. */
export function countStates({ accepting, counter }: Dfa): number {
  if (counter === undefined) return accepting.length;
  return ((counter.max === Infinity ? counter.min : counter.max) + 1) * accepting.length;
}

/** An automaton that can contain dead states. Its table can have room for more states. */
type UntrimmedDfa = Pick<Dfa, 'classes' | 'samples' | 'width' | 'table' | 'nullable'> & {
  readonly accepting: readonly number[];
};

/** Computes the distance of each state to an accepting state, and removes transitions to dead states, which cannot reach one. */
export function trim(untrimmed: UntrimmedDfa): Dfa {
  const count = untrimmed.accepting.length;
  const accepting = new Uint8Array(untrimmed.accepting);
  const table = untrimmed.table.slice(0, count * untrimmed.width);
  const { begins, sources } = predecessorsOf({ table, width: untrimmed.width, accepting });
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
  if (queued < count) {
    for (let cell = 0; cell < table.length; cell++) {
      const target = table[cell] ?? -1;
      if (target >= 0 && distance[target] === -1) table[cell] = -1;
    }
  }
  return { ...untrimmed, table, accepting, distance };
}

/** The source and the target of each transition. Reused between calls. */
let transitions = new Int32Array(4096);
/** A larger array (1 MB) is not kept for the next call. */
const MAX_KEPT_TRANSITIONS = 2 ** 18;

/**
 * The predecessors of each state: those of `state` are `sources[begins[state]]` to `sources[begins[state + 1] - 1]`. Adjacent columns with
 * the same target count once.
 */
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
  // The offsets are shifted by one: each is the index at which the next predecessor of a state is inserted.
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

/** The same automaton with the minimum number of byte classes: also bytes that are not adjacent share a class. */
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

/** Whether no text matches, not even the empty one. */
export function isEmptyDfa(dfa: Dfa): boolean {
  return !dfa.nullable && (dfa.distance[0] ?? -1) < 0;
}

/** Returns the automaton. @throws GrammarError with the code `empty` if no text matches it. */
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
