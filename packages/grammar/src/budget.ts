import { GrammarError } from './errors.ts';
import type { Steps } from './steps.ts';

export type Limits = {
  /** A budget shared by several compilations: work counts there too, including that of rejected grammars. */
  shared?: Pick<Budget, 'work' | 'admits'>;
  /** States of all automata together, before and after determinization. Default 30,000. */
  maxStates?: number;
  /**
   * Maximum milliseconds of a compilation. Default 5000: counted work rejects hostile grammars long before, and a loaded
   * machine rejects no valid one.
   */
  maxMs?: number;
};

export type BudgetLimits = Limits & {
  /**
   * Maximum steps of work, independent of time. Default 3,000,000, which no known grammar within the limit of states needed.
   */
  maxWork?: number;
};

/** Counts the cost of a compilation and throws a `GrammarError` beyond the limit. */
export type Budget = {
  /** Small steps of work; the clock is read every few thousand of them. */
  work(steps: number): void;
  /** Created automaton states. */
  states(count: number): void;
  /** The cost of something that was built before and is used again. */
  charge(cost: CompilationCost): void;
  /** Whether `charge` would not throw for this cost. */
  admits(cost: CompilationCost): boolean;
  /** The cost so far. */
  spent(): CompilationCost;
  /** True once every 20,000 steps of work, at which generators yield. */
  isPauseDue(): boolean;
  /** Excludes the time of a pause. */
  excludePause(ms: number): void;
};

export type CompilationCost = { work: number; states: number };

/** Maximum steps of work for one grammar. */
export const MAX_WORK = 3_000_000;
const WORK_PER_CLOCK_READ = 4096;
const WORK_PER_YIELD = 20_000;
/** Table cells per step of work. */
export const CELLS_PER_STEP = 8;

/** A budget for processing request data. Exceeding it throws a `GrammarError` with the code `limit`. */
export function createBudget({
  maxStates = 30_000,
  maxMs = 5000,
  maxWork = MAX_WORK,
  shared,
}: BudgetLimits = {}): Budget {
  let until = performance.now() + maxMs;
  let work = 0;
  let states = 0;
  let lastClockRead = 0;
  let lastYield = 0;
  const addStates = (count: number): void => {
    states += count;
    if (states > maxStates) {
      throw new GrammarError('limit', `the grammar is too large: it needs more than ${maxStates} states`);
    }
  };
  const budget: Budget = {
    work(steps) {
      work += steps;
      if (work > maxWork)
        throw new GrammarError('limit', 'the grammar is too complex: it needs too many compile steps');
      shared?.addWork(steps);
      if (work - lastClockRead < WORK_PER_CLOCK_READ) return;
      lastClockRead = work;
      if (performance.now() > until) {
        throw new GrammarError('limit', `the grammar is too complex: compiling it took more than ${maxMs} ms`);
      }
    },
    states(count) {
      addStates(count);
      budget.addWork(count * 4);
    },
    charge(cost) {
      addStates(cost.states);
      budget.addWork(cost.work);
    },
    admits: (cost) =>
      states + cost.states <= maxStates && work + cost.work <= maxWork && (shared?.canAfford(cost) ?? true),
    spent: () => ({ work, states }),
    isPauseDue() {
      if (work - lastYield < WORK_PER_YIELD) return false;
      lastYield = work;
      return true;
    },
    excludePause: (ms) => void (until += ms),
  };
  return budget;
}

/** Runs steps with a budget; their pauses do not count as time of the budget. */
export function* withinBudget<Result>(budget: Budget, start: (budget: Budget) => Steps<Result>): Steps<Result> {
  const steps = start(budget);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    const since = performance.now();
    yield;
    budget.excludePause(performance.now() - since);
  }
}
