import type { Budget } from '../budget.ts';
import { finish } from './dfa.ts';
import type { Dfa } from './dfa.ts';
import type { Steps } from '../steps.ts';
import { createPairs } from './pairs.ts';

/** The second automaton of a product: complete, or computed step by step. */
export type Operand = {
  classes: Uint8Array;
  nullable: boolean;
  /** The next state or -1, given a state of the first automaton. State 0 is the start. */
  step(state: number, column: number, otherState: number): number;
  accepts(state: number): boolean;
};

export function operandOf({ classes, nullable, table, width, accepting }: Dfa): Operand {
  return {
    classes,
    nullable,
    step: (state, column) => table[state * width + column] ?? -1,
    accepts: (state) => accepting[state] === 1,
  };
}

/** The texts of both automata, or (`difference`) those of the first that are not in the second. */
export function* productDfa(a: Dfa, b: Operand, mode: 'both' | 'difference', budget: Budget): Steps<Dfa> {
  const { classes, samples } = commonClasses(a.classes, b.classes);
  const width = samples.length;
  const columnsA = Uint8Array.from(samples, (byte) => a.classes[byte] ?? 0);
  const columnsB = Uint8Array.from(samples, (byte) => b.classes[byte] ?? 0);
  const pairs = createPairs();
  // The start is a separate pair: nothing leads back to it, and an equal pair later may accept.
  pairs.add(-1, -1);
  let table = new Int32Array(64 * width);
  const accepting: number[] = [];
  const stepFrom = (id: number): void => {
    const x = id === 0 ? 0 : pairs.first(id);
    const y = id === 0 ? 0 : pairs.second(id);
    const inB = y >= 0 && b.accepts(y);
    accepting.push(id > 0 && a.accepting[x] === 1 && inB === (mode === 'both') ? 1 : 0);
    if (table.length < (id + 1) * width) {
      const larger = new Int32Array(table.length * 2);
      larger.set(table);
      table = larger;
    }
    // Adjacent columns usually lead to one state.
    let previousX = -1;
    let previousY = -1;
    let target = -1;
    for (let column = 0; column < width; column++) {
      const nextX = a.table[x * a.width + (columnsA[column] ?? 0)] ?? -1;
      const nextY = y < 0 || nextX < 0 ? -1 : b.step(y, columnsB[column] ?? 0, nextX);
      if (nextX !== previousX || nextY !== previousY) {
        previousX = nextX;
        previousY = nextY;
        target = -1;
        if (nextX >= 0 && (nextY >= 0 || mode === 'difference')) {
          target = pairs.find(nextX, nextY);
          if (target < 0) {
            budget.states(1);
            target = pairs.add(nextX, nextY);
          }
        }
      }
      table[id * width + column] = target;
    }
    budget.work(width);
  };
  for (let id = 0; id < pairs.count(); id++) {
    stepFrom(id);
    if (budget.isPauseDue()) yield;
  }
  const nullable = a.nullable && b.nullable === (mode === 'both');
  const product = finish({ classes, samples, width, table, accepting, nullable });
  if (mode === 'both') return product;
  // Where no text of the second automaton is left, the first one alone decides.
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
