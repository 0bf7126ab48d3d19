import type { Transport } from '@modelwire/core';
import { listBudgets } from '@modelwire/schema/routes';
import type { Budget, BudgetList } from '@modelwire/schema/types';
import type { Column } from './output/table.ts';
import { timeText } from './output/units.ts';

export const budgetColumns: readonly Column<Budget>[] = [
  { head: 'id', cell: (budget) => budget.id },
  { head: 'of', shrinks: true, cell: (budget) => budget.project_id ?? budget.api_key_id },
  { head: 'period', cell: ({ period }) => period },
  { head: 'unit', cell: ({ unit }) => unit },
  { head: 'spent', right: true, cell: ({ spent }) => spent },
  { head: 'soft limit', right: true, cell: (budget) => budget.soft_limit },
  { head: 'hard limit', right: true, cell: (budget) => budget.override_limit ?? budget.hard_limit },
  { head: 'resets', cell: (budget) => timeText(budget.resets_at) },
];

export interface BudgetFilter {
  readonly project: readonly string[];
  readonly key: readonly string[];
}

export async function fetchBudgets(
  transport: Transport,
  { project, key }: BudgetFilter,
  signal: AbortSignal,
): Promise<readonly Budget[]> {
  const query = {
    ...(project.length > 0 && { project_ids: project }),
    ...(key.length > 0 && { api_key_ids: key }),
  };
  return (await transport.request<BudgetList>(listBudgets, { query, signal })).data;
}
