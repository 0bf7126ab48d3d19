import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';
import { longestWays } from './longest.ts';
import type { Steps } from '../steps.ts';
import { productDfa } from './product.ts';

/** States of a unit that are left open when a text of it has ended: those of a copy for each count. */
type Layers = { count: number; inner: number; place: Int32Array; origins: Int32Array };

function layersOf(unit: Dfa, min: number, max: number): Layers {
  const place = new Int32Array(unit.accepting.length);
  const origins = new Int32Array(unit.accepting.length);
  let inner = 0;
  unit.accepting.forEach((accepts, state) => {
    place[state] = accepts === 1 ? -1 : inner;
    if (accepts === 0) origins[inner++] = state;
  });
  // Without a greatest count the last layer goes on in itself; never the first, whose start nothing may lead back to.
  return { count: max === Infinity ? Math.max(min, 1) + 1 : max + 1, inner, place, origins };
}

/**
 * So many texts of `unit`, one after the other. No text of `unit` begins another one of it, so that a copy of its states
 * for each count is deterministic already; a length of thousands is no work for the general construction then.
 */
export function countedDfa(unit: Dfa, min: number, max: number, budget: Budget): Dfa {
  const { count: layers, inner, place, origins } = layersOf(unit, min, max);
  const { width } = unit;
  const count = layers * inner;
  budget.work(count + Math.ceil((count * width) / CELLS_PER_STEP));
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  const distance = new Int32Array(count).fill(-1);
  const one = unit.distance[0] ?? 0;
  for (let layer = 0; layer < layers; layer++) {
    const isLast = layer === layers - 1;
    const mayEnd = layer >= min && layer > 0;
    const begin = layer * inner;
    if (mayEnd) accepting[begin] = 1;
    for (let own = 0; own < inner; own++) {
      // Within a unit it has to end, and so many more have to follow.
      const end = (unit.distance[origins[own] ?? 0] ?? 0) + Math.max(0, min - layer - 1) * one;
      if (own === 0 && mayEnd) distance[begin] = 0;
      else if (!isLast || max === Infinity) distance[begin + own] = end;
    }
    if (isLast && max !== Infinity) continue;
    const onward = (isLast ? layer : layer + 1) * inner;
    for (let own = 0; own < inner; own++) {
      const from = (origins[own] ?? 0) * width;
      const to = (begin + own) * width;
      for (let column = 0; column < width; column++) {
        const target = unit.table[from + column] ?? -1;
        if (target < 0) continue;
        const next = place[target] ?? -1;
        table[to + column] = next < 0 ? onward : begin + next;
      }
    }
  }
  return { classes: unit.classes, samples: unit.samples, width, table, accepting, distance, nullable: min === 0 };
}

/**
 * The texts of an automaton that are so many of `unit`; all of its texts are a number of them. They are counted beside it,
 * without a copy for each count, and only while the count can decide: where all that may follow is short enough, any is right.
 */
export function* limitedDfa(all: Dfa, unit: Dfa, min: number, max: number, budget: Budget): Steps<Dfa> {
  const longest = longestWays(all);
  budget.work(longest.length);
  if (min === 0 && (longest[0] ?? Infinity) <= max) return all;
  const { count: layers, inner, place, origins } = layersOf(unit, min, max);
  const settled = layers * inner;
  return yield* productDfa(
    all,
    {
      classes: unit.classes,
      nullable: min === 0,
      step(state, column, beside) {
        if (state === settled) return settled;
        const layer = Math.floor(state / inner);
        if (layer === max) return -1;
        const target = unit.table[(origins[state - layer * inner] ?? 0) * unit.width + column] ?? -1;
        if (target < 0) return -1;
        const next = place[target] ?? -1;
        const counted = next >= 0 ? layer : layer + 1;
        // Each that follows is a byte at least.
        if (counted >= min && counted + (longest[beside] ?? Infinity) <= max) return settled;
        return next >= 0 ? state - (state % inner) + next : counted * inner;
      },
      accepts: (state) => state === settled || (state % inner === 0 && state >= min * inner && state > 0),
    },
    'both',
    budget,
  );
}
