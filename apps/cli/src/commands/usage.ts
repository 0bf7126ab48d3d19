import type { UsagePage, UsageParams, UsageResult } from '@modelwire/client';
import type { App, Define } from '../app.ts';
import { collect, collectFrom, positiveInteger } from '../option-values.ts';
import { budgetColumns } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { withExamples } from '../subcommand.ts';

const DAY_SECONDS = 86_400;
const GROUPS = { project: 'project_id', key: 'api_key_id', model: 'model' } as const;

interface Row extends UsageResult {
  readonly date: string;
}

const columns: readonly Column<Row>[] = [
  { head: 'date', cell: ({ date }) => date },
  { head: 'requests', right: true, cell: (row) => row.num_model_requests },
  { head: 'input tokens', right: true, cell: (row) => row.input_tokens },
  { head: 'cached', right: true, cell: (row) => row.input_cached_tokens ?? 0 },
  { head: 'output tokens', right: true, cell: (row) => row.output_tokens },
];

export const define: Define = (command, app) => {
  withExamples(command, {
    'Show the last 7 days': 'modelwire usage',
    'Show the last 30 days by project and model': 'modelwire usage --days 30 --group-by project --group-by model',
    'Show the spending of budgets': 'modelwire usage --budgets',
  })
    .description('Requires an API key with the role admin. Days without requests are omitted.')
    .option('--days <n>', 'Number of days, up to today in UTC (default: 7)', positiveInteger)
    .option(
      '--group-by <group>',
      'Group the rows by project, key or model (repeatable)',
      collectFrom(['project', 'key', 'model']),
    )
    .option('--project <name>', 'Only these projects (repeatable)', collect)
    .option('--key <key-id>', 'Only these keys (repeatable)', collect)
    .option('--budgets', 'Show budgets and their spending instead')
    .option('-m, --model <model>', 'Only these models (repeatable)', collect)
    .action(async ({ days = 7, groupBy: groups = [], project, key, budgets, model }) => {
      const { print, signal } = app;
      if (budgets) {
        const { organization } = await app.client();
        const { data } = await organization.budgets.list({ project_ids: project, api_key_ids: key }, { signal });
        return print.rows(data, budgetColumns, 'No budgets.');
      }
      const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
      const rows = rowsOf(app, {
        start_time: today - (days - 1) * DAY_SECONDS,
        limit: 31,
        group_by: groups.map((group) => GROUPS[group]),
        project_ids: project,
        api_key_ids: key,
        models: model,
      });
      const groupColumns = groups.map((group) => ({ head: group, cell: (row: Row) => row[GROUPS[group]] }));
      return print.rows(rows, [...groupColumns, ...columns], 'No usage.');
    });
};

/** One page of rows for each page of days. */
async function* rowsOf({ client, signal }: App, query: UsageParams): AsyncGenerator<readonly Row[], void, undefined> {
  const { usage } = (await client()).organization;
  for (let page: string | null | undefined; page !== null;) {
    const found: UsagePage = await usage.completions({ ...query, page }, { signal });
    yield found.data.flatMap(({ start_time, results }) =>
      results
        .filter((result) => result.num_model_requests > 0)
        .map((result) => ({ date: new Date(start_time * 1000).toISOString().slice(0, 10), ...result })),
    );
    page = found.has_more ? found.next_page : null;
  }
}
