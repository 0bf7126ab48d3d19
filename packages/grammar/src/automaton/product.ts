import type { Budget } from '../budget.ts';
import { trim } from './dfa.ts';
import type { Dfa } from './dfa.ts';
import type { Steps } from '../steps.ts';
import { Pairs } from './pairs.ts';

/** The second automaton of a product: a complete automaton, or one whose transitions are computed on demand. */
export type Operand = {
  classes: Uint8Array;
  nullable: boolean;
  /** Writes the next state or -1 of each column to `targets`. `otherTargets` are those of the first automaton. State 0 is the start. */
  step(state: number, columns: Uint8Array, otherTargets: Int32Array, targets: Int32Array): void;
  accepts(state: number): boolean;
};

export function operandOf({ classes, nullable, table, width, accepting }: Dfa): Operand {
  return {
    classes,
    nullable,
    step(state, columns, _, targets) {
      const row = state * width;
      for (let index = 0; index < columns.length; index++) {
        targets[index] = table[row + (columns[index] ?? 0)] ?? -1;
      }
    },
    accepts: (state) => accepting[state] === 1,
  };
}

/** The intersection of two automata, or the difference: the texts of the first that are not texts of the second. */
export function* productDfa(a: Dfa, b: Operand, mode: 'intersection' | 'difference', budget: Budget): Steps<Dfa> {
  const { classes, samples } = commonClasses(a.classes, b.classes);
  const width = samples.length;
  const columnsA = Uint8Array.from(samples, (byte) => a.classes[byte] ?? 0);
  const columnsB = Uint8Array.from(samples, (byte) => b.classes[byte] ?? 0);
  const nextA = new Int32Array(width);
  const nextB = new Int32Array(width);
  const { table: tableA, width: widthA } = a;
  const isDifference = mode === 'difference';
  const pairs = new Pairs();
  // The start is a separate pair: no transition leads back to it, and the same pair of states can accept later.
  pairs.add(-1, -1);
  let table = new Int32Array(64 * width);
  const accepting: number[] = [];
  const stepFrom = (id: number): void => {
    const stateA = id === 0 ? 0 : pairs.first(id);
    const stateB = id === 0 ? 0 : pairs.second(id);
    const acceptsB = stateB >= 0 && b.accepts(stateB);
    accepting.push(id > 0 && a.accepting[stateA] === 1 && acceptsB !== isDifference ? 1 : 0);
    const row = id * width;
    if (table.length < row + width) {
      const larger = new Int32Array(table.length * 2);
      larger.set(table);
      table = larger;
    }
    const rowA = stateA * widthA;
    for (let column = 0; column < width; column++) nextA[column] = tableA[rowA + (columnsA[column] ?? 0)] ?? -1;
    if (stateB < 0) nextB.fill(-1);
    else b.step(stateB, columnsB, nextA, nextB);
    // Adjacent columns usually lead to the same state.
    let previousA = -1;
    let previousB = -1;
    let target = -1;
    const known = pairs.count;
    for (let column = 0; column < width; column++) {
      const targetA = nextA[column] ?? -1;
      const targetB = nextB[column] ?? -1;
      if (targetA !== previousA || targetB !== previousB) {
        previousA = targetA;
        previousB = targetB;
        target = targetA >= 0 && (targetB >= 0 || isDifference) ? pairs.add(targetA, targetB) : -1;
      }
      table[row + column] = target;
    }
    if (pairs.count > known) budget.addStates(pairs.count - known);
    budget.addWork(width);
  };
  for (let id = 0; id < pairs.count; id++) {
    stepFrom(id);
    if (budget.isPauseDue()) yield;
  }
  const nullable = a.nullable && b.nullable === (mode === 'intersection');
  const product = trim({ classes, samples, width, table, accepting, nullable });
  if (mode === 'intersection') return product;
  // Where the second automaton has rejected, the continuations are those of the first.
  const states = new Int32Array(accepting.length);
  const isEquivalent = new Uint8Array(accepting.length);
  for (let id = 1; id < accepting.length; id++) {
    states[id] = pairs.first(id);
    isEquivalent[id] = pairs.second(id) < 0 ? 1 : 0;
  }
  return { ...product, derivation: { dfa: a, states, isEquivalent } };
}

function commonClasses(a: Uint8Array, b: Uint8Array): { classes: Uint8Array; samples: Uint8Array } {
  const ids = new Map<number, number>();
  const classes = new Uint8Array(256);
  const samples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const key = (a[byte] ?? 0) * 256 + (b[byte] ?? 0);
    let id = ids.get(key);
    if (id === undefined) {
      id = samples.push(byte) - 1;
      ids.set(key, id);
    }
    classes[byte] = id;
  }
  return { classes, samples: Uint8Array.from(samples) };
}
