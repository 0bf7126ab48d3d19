import type { Dfa } from '../automaton/dfa.ts';
import { createBudget } from '../budget.ts';
import type { Budget, CompilationCost } from '../budget.ts';
import type { Steps } from '../steps.ts';

/** Maximum size of all cached automata, in table cells of 4 bytes. */
const MAX_CELLS = 2_000_000;
/** Maximum size of a cached automaton: a few larger ones would evict all others. */
const MAX_CELLS_PER_AUTOMATON = 100_000;
/** The size of an entry without its table and key, in table cells. */
const ENTRY_CELLS = 300;
/** Maximum length of the key of a cached automaton, in characters. */
const MAX_KEY = 1000;

type Cached = { readonly dfa: Dfa; readonly cost: CompilationCost; readonly size: number };

const permanent = new Map<string, Dfa>();
/** In order of use: the least recently used entry is the first. */
const recent = new Map<string, Cached>();
let cells = 0;

/** Returns an automaton that is built once per process, outside of any budget, and never evicted. */
export function permanentAutomaton(key: string, make: (budget: Budget) => Dfa): Dfa {
  let dfa = permanent.get(key);
  if (dfa === undefined) {
    dfa = { ...make(createBudget({ maxMs: Infinity })), isShared: true };
    permanent.set(key, dfa);
  }
  return dfa;
}

/**
 * Returns an automaton from an LRU cache of the process, or builds it: many schemas have the same patterns and ranges of numbers. The
 * budget is charged as if it were built. If the budget is too small, it is built again, so that the error does not depend on what was
 * compiled before.
 */
export function* recentAutomaton(key: string, budget: Budget, make: () => Steps<Dfa>): Steps<Dfa> {
  const known = recent.get(key);
  if (known !== undefined && budget.canAfford(known.cost)) {
    recent.delete(key);
    recent.set(key, known);
    budget.charge(known.cost);
    return known.dfa;
  }
  const before = budget.cost();
  const dfa = yield* make();
  const after = budget.cost();
  const size = ENTRY_CELLS + key.length + dfa.table.length;
  // Another compilation can have added it in the meantime.
  if (size > MAX_CELLS_PER_AUTOMATON || key.length > MAX_KEY || recent.has(key)) return dfa;
  const cost = { work: after.work - before.work, states: after.states - before.states };
  recent.set(key, { dfa, cost, size });
  cells += size;
  for (const [oldest, evicted] of recent) {
    if (cells <= MAX_CELLS) break;
    recent.delete(oldest);
    cells -= evicted.size;
  }
  return dfa;
}
