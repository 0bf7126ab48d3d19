import type { Budget } from '../budget.ts';
import { finish } from './dfa.ts';
import type { Dfa } from './dfa.ts';

/**
 * So many texts of `unit`, one after the other. No text of `unit` begins another one of it, so that a copy of its states
 * for each count is deterministic already; a length of thousands is no work for the general construction then.
 */
export function countedDfa(unit: Dfa, min: number, max: number, budget: Budget): Dfa {
  const inner = unit.accepting.reduce((count, accepts) => count + (accepts === 1 ? 0 : 1), 0);
  const place = new Int32Array(unit.accepting.length);
  let at = 0;
  unit.accepting.forEach((accepts, state) => (place[state] = accepts === 1 ? -1 : at++));
  // Without a greatest count the last layer goes on in itself; never the first, whose start nothing may lead back to.
  const layers = max === Infinity ? Math.max(min, 1) + 1 : max + 1;
  budget.work(layers * inner * 2);
  const { width } = unit;
  const count = layers * inner;
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  for (let layer = 0; layer < layers; layer++) {
    if (layer >= min && layer > 0) accepting[layer * inner] = 1;
    const isLast = layer === layers - 1;
    if (isLast && max !== Infinity) continue;
    const onward = (isLast ? layer : layer + 1) * inner;
    for (let state = 0; state < unit.accepting.length; state++) {
      const own = place[state] ?? -1;
      if (own < 0) continue;
      for (let column = 0; column < width; column++) {
        const target = unit.table[state * width + column] ?? -1;
        if (target < 0) continue;
        const next = place[target] ?? -1;
        table[(layer * inner + own) * width + column] = next < 0 ? onward : layer * inner + next;
      }
    }
  }
  return finish({ classes: unit.classes, samples: unit.samples, width, table, accepting, nullable: min === 0 });
}
