import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';
import { longestPaths } from './longest-paths.ts';
import type { Steps } from '../steps.ts';
import { productDfa } from './product.ts';

/** States of the repeated automaton after one of its texts has ended; there is a copy for each count. */
type Layers = { count: number; inner: number; place: Int32Array; origins: Int32Array };

function layersOf(unit: Dfa, min: number, max: number): Layers {
  const place = new Int32Array(unit.accepting.length);
  const origins = new Int32Array(unit.accepting.length);
  let inner = 0;
  unit.accepting.forEach((accepts, state) => {
    place[state] = accepts === 1 ? -1 : inner;
    if (accepts === 0) origins[inner++] = state;
  });
  // Without a maximum, the last layer loops to itself; never the first, because nothing may lead back to the start.
  return { count: max === Infinity ? Math.max(min, 1) + 1 : max + 1, inner, place, origins };
}

/**
 * Repeats `unit` between a minimum and a maximum. No text of `unit` is a prefix of another, so that one copy of its states per
 * count is already deterministic; a length of thousands avoids the general construction.
 */
export function countedDfa(unit: Dfa, min: number, max: number, budget: Budget): Dfa {
  const { count: layers, inner, place, origins } = layersOf(unit, min, max);
  const { width } = unit;
  const count = layers * inner;
  budget.work(count + Math.ceil((count * width) / CELLS_PER_STEP));
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  const distance = new Int32Array(count).fill(-1);
  const unitMinBytes = unit.distance[0] ?? 0;
  for (let layer = 0; layer < layers; layer++) {
    const isLast = layer === layers - 1;
    const mayEnd = layer >= min && layer > 0;
    const begin = layer * inner;
    if (mayEnd) accepting[begin] = 1;
    for (let innerState = 0; innerState < inner; innerState++) {
      // Within a unit, it must end first, and then the remaining units follow.
      const end = (unit.distance[origins[innerState] ?? 0] ?? 0) + Math.max(0, min - layer - 1) * unitMinBytes;
      if (innerState === 0 && mayEnd) distance[begin] = 0;
      else if (!isLast || max === Infinity) distance[begin + innerState] = end;
    }
    if (isLast && max !== Infinity) continue;
    const nextLayer = (isLast ? layer : layer + 1) * inner;
    for (let own = 0; own < inner; own++) {
      const from = (origins[own] ?? 0) * width;
      const to = (begin + own) * width;
      for (let column = 0; column < width; column++) {
        const target = unit.table[from + column] ?? -1;
        if (target < 0) continue;
        const next = place[target] ?? -1;
        table[to + column] = next < 0 ? nextLayer : begin + next;
      }
    }
  }
  return { classes: unit.classes, samples: unit.samples, width, table, accepting, distance, nullable: min === 0 };
}

/**
 * The texts of an automaton that consist of a number of `unit`s; all of its texts consist of units. Counts beside the automaton
 * instead of copying it per count, and only while the count can decide: when everything that can follow is short enough, any
 * count is valid.
 */
export function* limitedDfa(all: Dfa, unit: Dfa, min: number, max: number, budget: Budget): Steps<Dfa> {
  const longest = longestPaths(all);
  budget.work(longest.length);
  if (min === 0 && (longest[0] ?? Infinity) <= max) return all;
  const { count: layers, inner, place, origins } = layersOf(unit, min, max);
  const settled = layers * inner;
  return yield* productDfa(
    all,
    {
      classes: unit.classes,
      nullable: min === 0,
      step(state, columns, otherTargets, targets) {
        if (state === settled) {
          targets.fill(settled);
          return;
        }
        const layer = Math.floor(state / inner);
        if (layer === max) {
          targets.fill(-1);
          return;
        }
        const begin = layer * inner;
        const row = (origins[state - begin] ?? 0) * unit.width;
        for (let column = 0; column < columns.length; column++) {
          const other = otherTargets[column] ?? -1;
          const target = other < 0 ? -1 : (unit.table[row + (columns[column] ?? 0)] ?? -1);
          if (target < 0) {
            targets[column] = -1;
            continue;
          }
          const next = place[target] ?? -1;
          const counted = next >= 0 ? layer : layer + 1;
          // Each following unit has at least one byte.
          const isSettled = counted >= min && counted + (longest[other] ?? Infinity) <= max;
          targets[column] = isSettled ? settled : next >= 0 ? begin + next : counted * inner;
        }
      },
      accepts: (state) => state === settled || (state % inner === 0 && state >= min * inner && state > 0),
    },
    'both',
    budget,
  );
}
