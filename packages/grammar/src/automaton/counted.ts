import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import type { Dfa } from './dfa.ts';
import { longestPaths } from './longest-paths.ts';
import type { Steps } from '../steps.ts';
import { productDfa } from './product.ts';

/**
 * The copies of a repeated automaton, one layer for each count. A layer contains the states that do not accept: an accepting state, for
 * which `indexInLayer` is -1, is replaced by the start of the next layer. `unitStates` is the inverse of `indexInLayer`.
 */
type Layers = { count: number; size: number; indexInLayer: Int32Array; unitStates: Int32Array };

function createLayers(unit: Dfa, min: number, max: number): Layers {
  const indexInLayer = new Int32Array(unit.accepting.length);
  const unitStates = new Int32Array(unit.accepting.length);
  let size = 0;
  unit.accepting.forEach((accepts, state) => {
    indexInLayer[state] = accepts === 1 ? -1 : size;
    if (accepts === 0) unitStates[size++] = state;
  });
  // Without a maximum, the last layer loops to itself. It is never the first, because no transition may lead back to the start.
  return { count: max === Infinity ? Math.max(min, 1) + 1 : max + 1, size, indexInLayer, unitStates };
}

/**
 * The automaton of `min` to `max` repetitions of `unit`. No text of `unit` may be a prefix of another one: then one copy of its states
 * per count is deterministic without a subset construction, even for thousands of repetitions.
 */
export function countedDfa(unit: Dfa, min: number, max: number, budget: Budget): Dfa {
  const { count: layers, size, indexInLayer, unitStates } = createLayers(unit, min, max);
  const { width } = unit;
  const count = layers * size;
  budget.addWork(count + Math.ceil((count * width) / CELLS_PER_STEP));
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  const distance = new Int32Array(count).fill(-1);
  const unitMinBytes = unit.distance[0] ?? 0;
  for (let layer = 0; layer < layers; layer++) {
    const isLast = layer === layers - 1;
    const accepts = layer >= min && layer > 0;
    const offset = layer * size;
    if (accepts) accepting[offset] = 1;
    for (let index = 0; index < size; index++) {
      // The rest of the current unit, and the units that are missing to the minimum.
      const minBytes = (unit.distance[unitStates[index] ?? 0] ?? 0) + Math.max(0, min - layer - 1) * unitMinBytes;
      if (index === 0 && accepts) distance[offset] = 0;
      else if (!isLast || max === Infinity) distance[offset + index] = minBytes;
    }
    if (isLast && max !== Infinity) continue;
    const nextLayer = (isLast ? layer : layer + 1) * size;
    for (let index = 0; index < size; index++) {
      const from = (unitStates[index] ?? 0) * width;
      const to = (offset + index) * width;
      for (let column = 0; column < width; column++) {
        const target = unit.table[from + column] ?? -1;
        if (target < 0) continue;
        const next = indexInLayer[target] ?? -1;
        table[to + column] = next < 0 ? nextLayer : offset + next;
      }
    }
  }
  return { classes: unit.classes, samples: unit.samples, width, table, accepting, distance, nullable: min === 0 };
}

/**
 * Restricts an automaton, all of whose texts consist of texts of `unit`, to those with `min` to `max` of them. A product with a counter
 * needs fewer states than a copy per count: once no continuation can violate the limits, the count is no longer tracked.
 */
export function* limitedDfa(all: Dfa, unit: Dfa, min: number, max: number, budget: Budget): Steps<Dfa> {
  const longest = longestPaths(all);
  budget.addWork(longest.length);
  if (min === 0 && (longest[0] ?? Infinity) <= max) return all;
  const { count: layers, size, indexInLayer, unitStates } = createLayers(unit, min, max);
  /** The state in which the count is no longer tracked. */
  const untracked = layers * size;
  return yield* productDfa(
    all,
    {
      classes: unit.classes,
      nullable: min === 0,
      step(state, columns, otherTargets, targets) {
        if (state === untracked) {
          targets.fill(untracked);
          return;
        }
        const layer = Math.floor(state / size);
        if (layer === max) {
          targets.fill(-1);
          return;
        }
        const offset = layer * size;
        const row = (unitStates[state - offset] ?? 0) * unit.width;
        for (let column = 0; column < columns.length; column++) {
          const other = otherTargets[column] ?? -1;
          const target = other < 0 ? -1 : (unit.table[row + (columns[column] ?? 0)] ?? -1);
          if (target < 0) {
            targets[column] = -1;
            continue;
          }
          const next = indexInLayer[target] ?? -1;
          const counted = next >= 0 ? layer : layer + 1;
          // Each following unit has at least one byte.
          const isUntracked = counted >= min && counted + (longest[other] ?? Infinity) <= max;
          targets[column] = isUntracked ? untracked : next >= 0 ? offset + next : counted * size;
        }
      },
      accepts: (state) => state === untracked || (state % size === 0 && state >= min * size && state > 0),
    },
    'intersection',
    budget,
  );
}
