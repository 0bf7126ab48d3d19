import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Budget } from '@modelwire/client';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { choice, collect, nullIfNone, numberFrom, orNone } from '../option-values.ts';
import type { Fields } from '../output/printer.ts';
import { budgetColumns } from '../output/shapes.ts';
import { timeText } from '../output/units.ts';
import { changesOf, resourceCommands } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';

const details =
  'Amounts are tokens, or millionths of the currency of the price table. Requires an API key with the role admin.';
const amount = orNone(numberFrom({ min: 0, isInteger: true }));

export const define: Define = (group, app) => {
  const { print, signal } = app;
  const budgets = async () => (await app.client()).organization.budgets;
  const resource = resourceCommands(group, app, { id: 'budget-id', example: 'budget_abc123', fields });

  subcommand(group, 'list', 'List budgets and their spending', { 'List all budgets': 'modelwire budgets list' })
    .description('Requires an API key with the role admin.')
    .option('--project <id>', 'Only budgets of these projects (repeatable)', collect)
    .option('--key <key-id>', 'Only budgets of these keys (repeatable)', collect)
    .action(async ({ project, key }) => {
      const { data } = await (await budgets()).list({ project_ids: project, api_key_ids: key }, { signal });
      await print.rows(data, budgetColumns, 'No budgets.');
    });

  resource.call('get', 'Show a budget', ({ organization }, id, options) => organization.budgets.retrieve(id, options));

  withLimits(
    subcommand(group, 'create', 'Create a budget', {
      'A million tokens a month': 'modelwire budgets create --project shop --hard-limit 1000000',
      '20 USD a day, with a warning at 15':
        'modelwire budgets create --project shop --unit cost --period day --soft-limit 15000000 --hard-limit 20000000',
    }),
  )
    .option('--project <id>', 'Project to limit')
    .option('--key <key-id>', 'Key to limit, instead of a project')
    .addOption(choice('--unit <unit>', 'Unit of the limits', ['tokens', 'cost']).default('tokens'))
    .addOption(choice('--period <period>', 'Period in UTC', ['day', 'month']).default('month'))
    .action(async ({ project, key, unit, period, ...limits }) => {
      if ((project === undefined) === (key === undefined)) {
        throw usageError('Specify exactly one of --project and --key.');
      }
      const body = { project_id: project, api_key_id: key, unit, period, ...limitsOf(limits) };
      await resource.print(await (await budgets()).create(body, { signal }));
    });

  withLimits(
    resource.withId('update', 'Change the limits of a budget, or override the hard limit', {
      'Allow more until the period ends': 'modelwire budgets update budget_abc123 --override-limit 2000000',
    }),
  )
    .option('--override-limit <n>', 'Replaces the hard limit until the period ends. "none" removes it', amount)
    .action(async (id, { overrideLimit, ...limits }) => {
      const changes = changesOf({ ...limitsOf(limits), override_limit: nullIfNone(overrideLimit) }, 'limit');
      await resource.print(await (await budgets()).update(id, changes, { signal }));
    });

  resource.call('reset', 'Reset the spending of the current period to 0', ({ organization }, id, options) =>
    organization.budgets.reset(id, options),
  );
  resource.delete('Delete budgets', ({ organization }, id, options) => organization.budgets.delete(id, options));
};

function withLimits<A extends unknown[], O extends OptionValues, G extends OptionValues>(command: Command<A, O, G>) {
  return command
    .description(details)
    .option(
      '--soft-limit <n>',
      'Requests beyond it are served with a warning. At most --hard-limit. "none" removes it',
      amount,
    )
    .option('--hard-limit <n>', 'Requests beyond it are refused. "none" removes it', amount);
}

interface Limits {
  readonly softLimit?: number | 'none';
  readonly hardLimit?: number | 'none';
}

function limitsOf({ softLimit: soft, hardLimit: hard }: Limits) {
  if (typeof soft === 'number' && typeof hard === 'number' && soft > hard) {
    throw usageError(`Invalid value "${soft}" for --soft-limit: expected at most --hard-limit, which is ${hard}.`);
  }
  return { soft_limit: nullIfNone(soft), hard_limit: nullIfNone(hard) };
}

function fields(budget: Budget): Fields {
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
