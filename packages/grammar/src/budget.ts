import { GrammarError } from './errors.ts';
import type { Steps } from './steps.ts';

export type Limits = {
  /** A budget shared by several compilations. Their work also counts against it, even if a grammar is rejected. */
  shared?: Pick<Budget, 'addWork' | 'canAfford'>;
  /** Maximum number of automaton states in total, before and after determinization. Default 30,000. */
  maxStates?: number;
  /**
   * Maximum time of a compilation in milliseconds. Default 5000. The limit on work rejects hostile grammars much earlier; this limit
   * is high enough that a loaded machine rejects no valid grammar.
   */
  maxMs?: number;
};

export type BudgetLimits = Limits & {
  /**
   * Maximum steps of work, independent of time. Default 3,000,000, which is more than any known grammar within `maxStates` needs.
   */
  maxWork?: number;
};

/** Counts the cost of a compilation. The methods that add to it throw a `GrammarError` with the code `limit` above a limit. */
export type Budget = {
  /** Adds small steps of work. Reads the clock every few thousand steps. */
  addWork(steps: number): void;
  /** Adds automaton states, and the work of creating them. */
  addStates(count: number): void;
  /** Adds the cost of something that was built earlier and is reused. */
  charge(cost: CompilationCost): void;
  /** Whether `charge` would stay within all limits. */
  canAfford(cost: CompilationCost): boolean;
  /** The cost so far. */
  cost(): CompilationCost;
  /** Returns true once every 20,000 steps of work, when a generator should yield. */
  isPauseDue(): boolean;
  /** Excludes the time of a pause, in milliseconds, from the time limit. */
  excludePause(ms: number): void;
};

/** The number of steps of work and of automaton states. */
export type CompilationCost = { work: number; states: number };

/** Maximum steps of work for one grammar. */
export const MAX_WORK = 3_000_000;
const WORK_PER_CLOCK_READ = 4096;
const WORK_PER_YIELD = 20_000;
/** Table cells per step of work. */
export const CELLS_PER_STEP = 8;

/** Creates a budget whose time starts now. */
export function createBudget({
  maxStates = 30_000,
  maxMs = 5000,
  maxWork = MAX_WORK,
  shared,
}: BudgetLimits = {}): Budget {
  let deadline = performance.now() + maxMs;
  let work = 0;
  let states = 0;
  let lastClockRead = 0;
  let lastYield = 0;
  const countStates = (count: number): void => {
    states += count;
    if (states > maxStates) {
      throw new GrammarError('limit', `the grammar is too large: it needs more than ${maxStates} states`);
    }
  };
  const budget: Budget = {
    addWork(steps) {
      work += steps;
      if (work > maxWork)
        throw new GrammarError('limit', 'the grammar is too complex: it needs too many compile steps');
      shared?.addWork(steps);
      if (work - lastClockRead < WORK_PER_CLOCK_READ) return;
      lastClockRead = work;
      if (performance.now() > deadline) {
        throw new GrammarError('limit', `the grammar is too complex: compiling it took more than ${maxMs} ms`);
      }
    },
    addStates(count) {
      countStates(count);
      budget.addWork(count * 4);
    },
    charge(cost) {
      countStates(cost.states);
      budget.addWork(cost.work);
    },
    canAfford: (cost) =>
      states + cost.states <= maxStates && work + cost.work <= maxWork && (shared?.canAfford(cost) ?? true),
    cost: () => ({ work, states }),
    isPauseDue() {
      if (work - lastYield < WORK_PER_YIELD) return false;
      lastYield = work;
      return true;
    },
    excludePause: (ms) => void (deadline += ms),
  };
  return budget;
}

/** Runs steps with a budget. Pauses between them do not count as time. */
export function* withinBudget<Result>(budget: Budget, start: (budget: Budget) => Steps<Result>): Steps<Result> {
  const steps = start(budget);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    const pausedAt = performance.now();
    yield;
    budget.excludePause(performance.now() - pausedAt);
  }
}
