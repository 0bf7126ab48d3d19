import { createBudget, deleteBudget, resetBudget, retrieveBudget, updateBudget } from '@modelwire/schema/routes';
import type { Budget } from '@modelwire/schema/types';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Flags, Values } from '../command.ts';
import { integerOrNone } from '../limits.ts';
import type { Fields } from '../output/printer.ts';
import { budgetColumns, fetchBudgets } from '../budgets.ts';
import { timeText } from '../output/units.ts';
import { callById, changesOf, defineResource } from '../resource-commands.ts';

const resource = defineResource({ id: 'budget-id', list: 'budgets list', fields: budgetFields });
const description = 'Requires an API key with the role admin.';
const units = 'Amounts are tokens, or millionths of the currency of the price table.';

const limitFlags = {
  'soft-limit': {
    type: 'string',
    value: 'n',
    description: 'Requests beyond it are served with a warning. At most --hard-limit. "none" removes it',
  },
  'hard-limit': { type: 'string', value: 'n', description: 'Requests beyond it are refused. "none" removes it' },
} as const satisfies Flags;

function budgetFields(budget: Budget): Fields {
  return [
    ['id', budget.id],
    ['project', budget.project_id],
    ['key', budget.api_key_id],
    ['period', budget.period],
    ['unit', budget.unit],
    ['spent', budget.spent],
    ['reserved', budget.reserved],
    ['soft limit', budget.soft_limit],
    ['hard limit', budget.hard_limit],
    ['override limit', budget.override_limit],
    ['resets', timeText(budget.resets_at)],
    ['created', timeText(budget.created_at)],
  ];
}

export const list = defineCommand({
  arguments: [],
  flags: {
    project: { type: 'string', multiple: true, value: 'id', description: 'Only budgets of these projects' },
    key: { type: 'string', multiple: true, value: 'key-id', description: 'Only budgets of these keys' },
  },
  description,
  examples: [{ what: 'List all budgets and their spending', line: 'modelwire budgets list' }],
  async run({ flags, transport, print, signal }) {
    await print.rows(await fetchBudgets(await transport(), flags, signal), budgetColumns, 'No budgets.');
  },
});

export const get = resource.call('Show a budget', 'budgets get budget_abc123', callById(retrieveBudget));

export const create = defineCommand({
  arguments: [],
  flags: {
    project: { type: 'string', value: 'id', description: 'Project to limit' },
    key: { type: 'string', value: 'key-id', description: 'Key to limit, instead of a project' },
    unit: { type: 'string', choices: ['tokens', 'cost'], description: 'Unit of the limits (default: tokens)' },
    period: { type: 'string', choices: ['day', 'month'], description: 'Period in UTC (default: month)' },
    ...limitFlags,
  },
  description: `${units} ${description}`,
  examples: [
    { what: 'A million tokens a month', line: 'modelwire budgets create --project shop --hard-limit 1000000' },
    {
      what: '20 USD a day, with a warning at 15',
      line: 'modelwire budgets create --project shop --unit cost --period day --soft-limit 15000000 --hard-limit 20000000',
    },
  ],
  run: resource.send(createBudget, ({ flags }) => {
    if ((flags.project === undefined) === (flags.key === undefined)) {
      throw usageError('Specify exactly one of --project and --key.');
    }
    return {
      ...(flags.project !== undefined && { project_id: flags.project }),
      ...(flags.key !== undefined && { api_key_id: flags.key }),
      unit: flags.unit ?? 'tokens',
      period: flags.period ?? 'month',
      ...limitsOf(flags),
    };
  }),
});

export const update = defineCommand({
  arguments: [resource.argument],
  flags: {
    ...limitFlags,
    'override-limit': {
      type: 'string',
      value: 'n',
      description: 'Replaces the hard limit until the period ends. "none" removes it',
    },
  },
  description: `${units} ${description}`,
  examples: [
    {
      what: 'Allow more until the period ends',
      line: 'modelwire budgets update budget_abc123 --override-limit 2000000',
    },
  ],
  run: resource.send(updateBudget, ({ flags }) => {
    const override = integerOrNone('--override-limit', flags['override-limit'], 0);
    return changesOf({ ...limitsOf(flags), ...(override !== undefined && { override_limit: override }) }, 'limit');
  }),
});

export const reset = resource.call(
  'Reset the spending of a budget',
  'budgets reset budget_abc123',
  callById(resetBudget),
  description,
);

const deleteBudgets = resource.delete('Delete a budget', 'budgets delete budget_abc123', callById(deleteBudget));
export { deleteBudgets as delete };

function limitsOf(flags: Values<typeof limitFlags>) {
  const soft = integerOrNone('--soft-limit', flags['soft-limit'], 0);
  const hard = integerOrNone('--hard-limit', flags['hard-limit'], 0);
  if (typeof soft === 'number' && typeof hard === 'number' && soft > hard) {
    throw usageError(`Invalid value "${soft}" for --soft-limit: expected at most --hard-limit, which is ${hard}.`);
  }
  return { ...(soft !== undefined && { soft_limit: soft }), ...(hard !== undefined && { hard_limit: hard }) };
}
