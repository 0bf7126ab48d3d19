import type { Budget } from '@modelwire/client';
import { formatMoney, formatNumber } from '../../components/format.ts';

/** The API counts costs in millionths of the currency of the price table. */
const microsPerUnit = 1e6;

const scaleOf = (unit: string): number => (unit === 'cost' ? microsPerUnit : 1);

/** An amount as the value of a form field: tokens, or units of the currency. */
export function amountToField(unit: string, amount: number | null): string {
  return amount === null ? '' : String(amount / scaleOf(unit));
}

/** The value of a form field as an amount; null for an empty field. */
export function fieldToAmount(unit: string, text: string): number | null {
  return text === '' ? null : Math.round(Number(text) * scaleOf(unit));
}

/** An amount with its unit. @param currency Currency of the price table, if the server has one. */
export function formatAmount(unit: string, amount: number | null, currency: string | null | undefined): string {
  if (amount !== null && unit === 'cost' && currency) return formatMoney(amount / microsPerUnit, currency);
  return formatNumber(amount === null ? null : amount / scaleOf(unit));
}

/** The unit of a form field as a part of its label, such as ` (EUR)`; empty if it needs none. */
export function unitSuffix(unit: string, currency: string | null | undefined): string {
  return unit === 'cost' && currency ? ` (${currency.toUpperCase()})` : '';
}

/** Properties of the form field of a limit, which can be empty. */
export function limitField(unit: string) {
  return { placeholder: 'none', min: 0, step: unit === 'cost' ? 'any' : 1 } as const;
}

/** The used part of the limit at which requests are refused, or else of the soft limit. Undefined without limits. */
export function usedShare(budget: BudgetAmounts): number | undefined {
  const limit = budget.override_limit ?? budget.hard_limit ?? budget.soft_limit;
  return limit === null || limit === 0 ? undefined : (budget.spent + budget.reserved) / limit;
}

type BudgetAmounts = Pick<Budget, 'soft_limit' | 'hard_limit' | 'override_limit' | 'spent' | 'reserved'>;

export interface BudgetState {
  readonly label: 'within limits' | 'over the soft limit' | 'used up';
  readonly tone: 'good' | 'warning' | 'bad';
  /** The limit at which requests are refused; null if there is none. */
  readonly limit: number | null;
}

/** Whether the budget admits requests. As on the server, the reservations of running requests count as used. */
export function budgetState(budget: BudgetAmounts): BudgetState {
  const limit = budget.override_limit ?? budget.hard_limit;
  const used = budget.spent + budget.reserved;
  if (limit !== null && used >= limit) return { label: 'used up', tone: 'bad', limit };
  if (budget.soft_limit !== null && used >= budget.soft_limit) {
    return { label: 'over the soft limit', tone: 'warning', limit };
  }
  return { label: 'within limits', tone: 'good', limit };
}
