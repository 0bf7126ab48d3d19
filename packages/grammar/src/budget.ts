import { GrammarError } from './errors.ts';
import type { Steps } from './steps.ts';

export type Limits = {
  /** A budget that several compilations share: work counts there as well, also that of a grammar that is refused. */
  shared?: Pick<Budget, 'work'>;
  /** States of all automata together, before and after they are made deterministic. Default 30,000. */
  maxStates?: number;
  /** Milliseconds that compiling may take. Default 5000: counted work ends what is hostile long before, and a busy machine refuses no honest grammar. */
  maxMs?: number;
};

export type BudgetLimits = Limits & {
  /** Steps of work, a bound that knows no clock. Default 3,000,000, which no grammar within the limit of states was seen to need. */
  maxWork?: number;
};

/** Counts what compiling costs and ends it with a `GrammarError` where it costs too much. */
export type Budget = {
  /** Small steps of work; the clock is looked at every few thousand of them. */
  work(steps: number): void;
  /** Automaton states that are made. */
  states(count: number): void;
  /** What was spent so far. */
  spent(): Spent;
  /** True once every 20,000 steps of work: work that is divided into steps pauses there. */
  isPauseDue(): boolean;
  /** Time that passed during a pause does not count. */
  excludePause(ms: number): void;
};

export type Spent = { work: number; states: number };

/** Steps of work that one grammar may take to compile. */
export const MAX_WORK = 3_000_000;
const LOOK = 4096;
const PAUSE = 20_000;
/** Cells of a table that are worth a step of work. */
export const CELLS_PER_STEP = 8;

/** A budget for work on what callers send. What spends beyond it ends with a `GrammarError` of the code `limit`. */
export function createBudget({
  maxStates = 30_000,
  maxMs = 5000,
  maxWork = MAX_WORK,
  shared,
}: BudgetLimits = {}): Budget {
  let until = performance.now() + maxMs;
  let work = 0;
  let states = 0;
  let looked = 0;
  let paused = 0;
  const budget: Budget = {
    work(steps) {
      work += steps;
      if (work > maxWork)
        throw new GrammarError('limit', 'the grammar is too complex: it needs too much work to compile');
      shared?.work(steps);
      if (work - looked < LOOK) return;
      looked = work;
      if (performance.now() > until) {
        throw new GrammarError('limit', `the grammar is too complex: compiling it took more than ${maxMs} ms`);
      }
    },
    states(count) {
      states += count;
      if (states > maxStates) {
        throw new GrammarError('limit', `the grammar is too large: it needs more than ${maxStates} states`);
      }
      budget.work(count * 4);
    },
    spent: () => ({ work, states }),
    isPauseDue() {
      if (work - paused < PAUSE) return false;
      paused = work;
      return true;
    },
    excludePause: (ms) => void (until += ms),
  };
  return budget;
}

/** The same steps, whose pauses do not count as time of the budget. */
export function* excludingPauses<Result>(steps: Steps<Result>, budget: Budget): Steps<Result> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    const since = performance.now();
    yield;
    budget.excludePause(performance.now() - since);
  }
}
