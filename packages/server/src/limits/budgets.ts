import type { BudgetAmount, BudgetDemand, BudgetState, BudgetStore, BudgetSubject, Observer } from '@modelwire/ports';
import { backoffMs } from '@modelwire/adapter-kit';
import { RequestError } from '../errors.ts';
import type { CreateId } from '../ids.ts';
import { unrefTimeout } from '../timers.ts';
import type { BudgetEvents } from './budget-events.ts';
import type { Prices } from './prices.ts';

/** Replaces a reservation by what was used, and zero if nothing was. Called once; further calls have no effect. */
export type SettleBudgets = (used: BudgetAmount) => void;

/** The cause of the error of a request that a budget refused. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
  readonly budget: string;
  /** Unix time, in seconds. */
  readonly resetsAt: number;
  /** The budget is reserved by running requests. Otherwise it is spent. */
  readonly isTemporary: boolean;

  constructor({ id, resetsAt }: Pick<BudgetState, 'id' | 'resetsAt'>, isTemporary: boolean) {
    super(id);
    this.budget = id;
    this.resetsAt = resetsAt;
    this.isTemporary = isTemporary;
  }
}

export interface Budgets {
  /**
   * Reserves from all budgets of the subjects.
   *
   * @throws a 429 `insufficient_quota` if a budget does not have enough left.
   */
  reserve(
    call: {
      readonly responseHeaders: Record<string, string>;
      readonly logRecord: { budgetWarnings?: readonly string[] };
    },
    subjects: readonly BudgetSubject[],
    amounts: Pick<BudgetDemand, 'max' | 'minToAdmit'>,
  ): Promise<SettleBudgets>;
  /** For work that is done already: adds what was used to the budgets of the subjects, without a limit. */
  charge(subjects: readonly BudgetSubject[]): SettleBudgets;
  /** Resolves when usage is stored, as far as possible. */
  flush(): Promise<void>;
  stop(): void;
}

/** The budgets of a server without stores. */
export const noBudgets: Budgets = {
  reserve: () => Promise.resolve(() => undefined),
  charge: () => () => undefined,
  flush: () => Promise.resolve(),
  stop: () => undefined,
};

interface BudgetsInit {
  readonly store: BudgetStore;
  /** For the currency of errors. */
  readonly prices: Pick<Prices, 'currency'>;
  /** Publishes webhook events for limits that were reached. Default: none. */
  readonly events?: BudgetEvents | undefined;
  /** Observes requests that exceed a limit. Default: none. */
  readonly observer?: Observer | undefined;
  readonly report: (what: string, error: unknown) => void;
  readonly createId: CreateId;
}

/** Milliseconds after which the reservations of a crashed server expire. */
const ttlMs = 600_000;
const settleAttempts = 6;
const settleBackoff = { firstMs: 200, maxMs: 10_000, minPart: 1 };

export function createBudgets({ store, prices, events, observer, report, createId }: BudgetsInit): Budgets {
  const activeIds = new Set<string>();
  const settlements = new Set<Promise<unknown>>();
  let clearTimer: (() => void) | undefined;

  function renewLater(): void {
    clearTimer ??= unrefTimeout(ttlMs / 3, () => {
      clearTimer = undefined;
      if (activeIds.size === 0) return;
      store
        .renew([...activeIds], ttlMs)
        .catch((error: unknown) => report('reservations of budgets were not renewed', error));
      renewLater();
    });
  }
  async function settle(id: string, subjects: readonly BudgetSubject[], used: BudgetAmount): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        // Called even without events: as an argument of events?.check() it would not run.
        const budgets = await store.settle({ id, subjects, used });
        events?.check(budgets);
        return;
      } catch (error) {
        if (attempt === settleAttempts) {
          report('the usage of a request was not added to its budgets', error);
          return;
        }
        await new Promise<void>((resolve) => void unrefTimeout(backoffMs(attempt, settleBackoff), resolve));
      }
    }
  }
  /** Resolves when the settlements in progress have ended. */
  const waitForSettlements = (): Promise<unknown> => Promise.all([...settlements]);

  async function reserve(
    call: Parameters<Budgets['reserve']>[0],
    subjects: readonly BudgetSubject[],
    { max, minToAdmit }: Pick<BudgetDemand, 'max' | 'minToAdmit'>,
  ): Promise<SettleBudgets> {
    const demand = { id: createId('budget_reservation_'), subjects, max, minToAdmit, ttlMs };
    let decision = await store.reserve(demand);
    if (decision.refusedBy && settlements.size > 0) {
      // Reservations of ended requests may exceed their usage until they are settled.
      await waitForSettlements();
      decision = await store.reserve(demand);
    }
    const { refusedBy, budgets } = decision;
    events?.check(budgets, refusedBy);
    if (refusedBy) {
      observer?.budgetExceeded?.({ limit: 'hard', unit: refusedBy.unit });
      throw budgetExceeded(refusedBy, minToAdmit[refusedBy.unit], prices);
    }
    for (const { unit } of addWarnings(call, budgets)) observer?.budgetExceeded?.({ limit: 'soft', unit });
    activeIds.add(demand.id);
    renewLater();
    return settleOnce(demand.id, subjects);
  }
  function settleOnce(id: string, subjects: readonly BudgetSubject[]): SettleBudgets {
    let isSettled = false;
    return (used) => {
      if (isSettled) return;
      isSettled = true;
      activeIds.delete(id);
      const settlement = settle(id, subjects, used).finally(() => settlements.delete(settlement));
      settlements.add(settlement);
    };
  }

  return {
    reserve,
    charge: (subjects) => settleOnce(createId('budget_reservation_'), subjects),
    async flush() {
      await waitForSettlements();
      await events?.flush();
    },
    stop: () => clearTimer?.(),
  };
}

/** Adds the budgets whose soft limit is exceeded to the response headers and the log record, and returns them. */
function addWarnings(call: Parameters<Budgets['reserve']>[0], budgets: readonly BudgetState[]): readonly BudgetState[] {
  const exceeded = budgets.filter(
    ({ softLimit, spent, reserved }) => softLimit !== null && spent + reserved > softLimit,
  );
  if (exceeded.length === 0) return exceeded;
  const ids = exceeded.map(({ id }) => id);
  call.responseHeaders['x-modelwire-budget-warning'] = ids.join(', ');
  call.logRecord.budgetWarnings = ids;
  return exceeded;
}

function budgetExceeded(budget: BudgetState, required: number, { currency }: Pick<Prices, 'currency'>): RequestError {
  const { subject, unit, period, spent, reserved } = budget;
  const limit = budget.overrideLimit ?? budget.hardLimit ?? 0;
  const amount = (value: number): string =>
    unit === 'tokens' ? `${value} tokens` : `${(value / 1e6).toFixed(6)} ${currency.toUpperCase()}`;
  const resets = new Date(budget.resetsAt * 1000).toISOString();
  // Reservations of running requests become free soon; what was spent stays spent until the period ends.
  const isTemporary = spent + required <= limit;
  const lasting = spent < limit ? 'has too little left for this request' : 'is exhausted';
  const problem = isTemporary ? 'is reserved by running requests' : lasting;
  const advice = isTemporary ? 'Retry when they have ended.' : `It resets at ${resets}.`;
  return new RequestError(
    `The ${period === 'day' ? 'daily' : 'monthly'} budget of the ${subject.kind} '${subject.id}' ${problem}: ` +
      `limit ${amount(limit)}, spent ${amount(spent)}, reserved by running requests ${amount(reserved)}, ` +
      `needed ${amount(required)}. ${advice}`,
    {
      status: 429,
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      headers: isTemporary ? { 'retry-after': '1' } : { 'x-should-retry': 'false' },
      cause: new BudgetExceeded(budget, isTemporary),
    },
  );
}
