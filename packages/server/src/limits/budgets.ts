import { addCounts, toCount } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { BudgetAmount, BudgetDemand, BudgetState, BudgetStore, BudgetSubject, Observer } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import { randomId } from '../ids.ts';
import { unrefTimeout } from '../timers.ts';
import type { BudgetEvents } from './budget-events.ts';
import type { Policy } from './policies.ts';
import type { Prices } from './prices.ts';

/** Estimated tokens of a request: its prompt, its maximum output, and the minimum output that is required for admission. */
export interface BudgetEstimate {
  readonly prompt: number;
  readonly maxOutput: number;
  readonly outputToAdmit: number;
}

/** The reservation of a request. It is settled once, also if the request failed. */
export interface BudgetReservation {
  settle(usage: CompletionUsage | undefined): void;
}

/** The cost of a request that is known in advance, reserved. */
export interface CostReservation {
  /** Charges the cost. */
  charge(): void;
  /** Releases the reservation without a charge. */
  release(): void;
}

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
   * Reserves from the budgets of the policy. Undefined without budgets.
   *
   * @throws a 429 `insufficient_quota` if a budget does not have enough left, a 403 for a model without a price if the cost is limited.
   */
  reserve(
    call: {
      readonly responseHeaders: Record<string, string>;
      readonly logRecord: { budgetWarnings?: readonly string[] };
    },
    policy: Policy,
    model: string,
    estimate: () => BudgetEstimate,
  ): Promise<BudgetReservation | undefined>;
  /**
   * Reserves the cost of a request that uses no tokens. It is admitted while all budgets have enough left, and at least one token or one
   * millionth of the currency. Undefined where there are no budgets.
   *
   * @param cost Undefined for a model without a price.
   * @throws like `reserve`.
   */
  reserveCost(
    call: Parameters<Budgets['reserve']>[0],
    policy: Policy,
    model: string,
    cost: number | undefined,
  ): Promise<CostReservation | undefined>;
  /** Resolves when usage is stored, as far as possible. */
  flush(): Promise<void>;
  stop(): void;
}

interface BudgetsInit {
  readonly store: BudgetStore;
  readonly prices: Prices | undefined;
  /** Publishes webhook events for limits that were reached. Default: none. */
  readonly events?: BudgetEvents | undefined;
  /** Observes requests that exceed a limit. Default: none. */
  readonly observer?: Observer | undefined;
  readonly report: (what: string, error: unknown) => void;
  /** Milliseconds after which the reservations of a crashed server expire. Default 10 minutes. */
  readonly ttlMs?: number;
}

const settleAttempts = 6;

export function createBudgets({ store, prices, events, observer, report, ttlMs = 600_000 }: BudgetsInit): Budgets {
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
        events?.check(await store.settle({ id, subjects, used }));
        return;
      } catch (error) {
        if (attempt === settleAttempts) {
          report('the usage of a request was not added to its budgets', error);
          return;
        }
        await new Promise<void>((resolve) => void unrefTimeout(100 * 2 ** attempt, resolve));
      }
    }
  }
  /** Resolves when the settlements in progress have ended. */
  const waitForSettlements = (): Promise<unknown> => Promise.all([...settlements]);

  /** Reserves from all budgets of the subjects. Returns a function to call with the usage; further calls have no effect. */
  async function reserveAmounts(
    call: Parameters<Budgets['reserve']>[0],
    { subjects, max, minToAdmit }: Pick<BudgetDemand, 'subjects' | 'max' | 'minToAdmit'>,
  ): Promise<(used: BudgetAmount) => void> {
    const demand = { id: randomId('budget_reservation_'), subjects, max, minToAdmit, ttlMs };
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
    let isSettled = false;
    return (used) => {
      if (isSettled) return;
      isSettled = true;
      activeIds.delete(demand.id);
      const settlement = settle(demand.id, subjects, used).finally(() => settlements.delete(settlement));
      settlements.add(settlement);
    };
  }

  return {
    async reserve(call, { budgetSubjects: subjects, budgetUnits: units }, model, estimate) {
      if (subjects.length === 0) return undefined;
      const { prompt, maxOutput, outputToAdmit } = estimate();
      const costOf = (output: number): number => {
        if (!units.has('cost')) return 0;
        return maximumCost(prices, model, prompt, output) ?? missingPrice(model);
      };
      const settleUsed = await reserveAmounts(call, {
        subjects,
        max: { tokens: addCounts(prompt, maxOutput), cost: costOf(maxOutput) },
        minToAdmit: { tokens: addCounts(prompt, outputToAdmit), cost: costOf(outputToAdmit) },
      });
      return {
        settle(usage) {
          const cost = usage ? (prices?.costOf(model, usage) ?? 0) : 0;
          settleUsed({ tokens: toCount(usage?.total_tokens ?? 0), cost });
        },
      };
    },
    async reserveCost(call, { budgetSubjects: subjects, budgetUnits: units }, model, cost) {
      if (subjects.length === 0) return undefined;
      const amount = cost ?? (units.has('cost') ? missingPrice(model) : 0);
      const minimum = { tokens: 1, cost: Math.max(1, amount) };
      const settleUsed = await reserveAmounts(call, { subjects, max: minimum, minToAdmit: minimum });
      return {
        charge: () => settleUsed({ tokens: 0, cost: amount }),
        release: () => settleUsed({ tokens: 0, cost: 0 }),
      };
    },
    async flush() {
      await waitForSettlements();
      await events?.flush();
    },
    stop: () => clearTimer?.(),
  };
}

/** The maximum cost of these tokens: none are cached, and all are reasoning tokens if those cost more. */
function maximumCost(prices: Prices | undefined, model: string, prompt: number, output: number): number | undefined {
  const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
  const withoutReasoning = prices?.costOf(model, usage);
  const withReasoning = prices?.costOf(model, { ...usage, completion_tokens_details: { reasoning_tokens: output } });
  return withoutReasoning === undefined || withReasoning === undefined
    ? undefined
    : Math.max(withoutReasoning, withReasoning);
}

function missingPrice(model: string): never {
  throw new RequestError(
    `The model '${model}' has no price, and the budget of this key or its project limits costs. Add the model to \`prices\` in the configuration of the server.`,
    { status: 403, code: 'model_without_price', param: 'model' },
  );
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

function budgetExceeded(budget: BudgetState, required: number, prices: Prices | undefined): RequestError {
  const { subject, unit, period, spent, reserved } = budget;
  const limit = budget.overrideLimit ?? budget.hardLimit ?? 0;
  const amount = (value: number): string =>
    unit === 'tokens' ? `${value} tokens` : `${(value / 1e6).toFixed(6)} ${(prices?.currency ?? 'usd').toUpperCase()}`;
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
