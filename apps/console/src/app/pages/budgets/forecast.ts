import type { Budget } from '@modelwire/client';
import { budgetState } from './amounts.ts';

export interface Forecast {
  /** The amount that is used when the period ends. */
  readonly atEnd: number;
  /** When the limit is reached, in Unix seconds. Undefined if that is not within the period. */
  readonly usedUpAt: number | undefined;
}

/** Before this part of its period has passed, a budget has no forecast. */
const minElapsedShare = 0.05;

type BudgetOfPeriod = Parameters<typeof budgetState>[0] & Pick<Budget, 'period_start' | 'resets_at' | 'created_at'>;

/** What a budget uses until its period ends at the current rate. */
export function forecastOf(budget: BudgetOfPeriod, nowSeconds: number): Forecast | undefined {
  const { period_start, resets_at, created_at, spent, reserved } = budget;
  const elapsed = nowSeconds - Math.max(period_start, created_at);
  if (elapsed < minElapsedShare * (resets_at - period_start) || nowSeconds >= resets_at) return undefined;
  const used = spent + reserved;
  const perSecond = spent / elapsed;
  const atEnd = used + perSecond * (resets_at - nowSeconds);
  const limit = budgetState(budget).limit ?? budget.soft_limit;
  const isUsedUp = limit !== null && used < limit && atEnd > limit;
  return { atEnd, usedUpAt: isUsedUp ? nowSeconds + (limit - used) / perSecond : undefined };
}
