import type { Dfa } from '../automaton/dfa.ts';
import { createBudget } from '../budget.ts';
import type { Budget, CompilationCost } from '../budget.ts';
import type { Steps } from '../steps.ts';

/** The size of all cached automata, in table cells of 4 bytes. */
const MAX_CELLS = 2_000_000;
/** Larger automata are not cached: a few of them would evict all others. */
const MAX_CELLS_OF_ONE = 100_000;
/** The size of an entry besides its table and its key. */
const ENTRY_CELLS = 300;
/** Longer keys are not cached. */
const MAX_KEY = 1000;

type Cached = { readonly dfa: Dfa; readonly cost: CompilationCost; readonly size: number };

const permanent = new Map<string, Dfa>();
/** The least recently used ones come first. */
const recent = new Map<string, Cached>();
let cells = 0;

/** An automaton of unrestricted text or numbers, which is built once, outside of any budget, and kept. */
export function permanentAutomaton(key: string, make: (budget: Budget) => Dfa): Dfa {
  let dfa = permanent.get(key);
  if (dfa === undefined) {
    dfa = { ...make(createBudget({ maxMs: Infinity })), isShared: true };
    permanent.set(key, dfa);
  }
  return dfa;
}

/**
 * An automaton that many schemas have in common, such as that of a pattern or of a range of numbers, from a cache of the process.
 * The budget is charged as if it were built, and it is built if the budget is too small, so that a schema is refused or not with the same error
 * independently of what was compiled before.
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
  // Another compilation may have added it meanwhile.
  if (size > MAX_CELLS_OF_ONE || key.length > MAX_KEY || recent.has(key)) return dfa;
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
