import type { Transport } from '@modelwire/core';
import { retrieveUsage } from '@modelwire/schema/routes';
import type { UsagePage, UsageResult } from '@modelwire/schema/types';
import { defineCommand } from '../command.ts';
import { budgetColumns, fetchBudgets } from '../budgets.ts';
import type { Column } from '../output/table.ts';

const GROUPS = { project: 'project_id', key: 'api_key_id', model: 'model' } as const;
const DAY_SECONDS = 86_400;

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

const groupColumns: Readonly<Record<keyof typeof GROUPS, Column<Row>>> = {
  project: { head: 'project', cell: ({ project_id }) => project_id },
  key: { head: 'key', cell: ({ api_key_id }) => api_key_id },
  model: { head: 'model', shrinks: true, cell: ({ model }) => model },
};

export const command = defineCommand({
  arguments: [],
  flags: {
    days: { type: 'integer', value: 'n', min: 1, description: 'Number of days, up to today in UTC (default: 7)' },
    'group-by': {
      type: 'string',
      multiple: true,
      choices: ['project', 'key', 'model'],
      description: 'Group the rows',
    },
    project: { type: 'string', multiple: true, value: 'name', description: 'Only these projects' },
    key: { type: 'string', multiple: true, value: 'key-id', description: 'Only these keys' },
    budgets: { type: 'boolean', description: 'Show budgets and their spending instead' },
    model: {
      type: 'string',
      short: 'm',
      multiple: true,
      value: 'id',
      completes: 'model',
      description: 'Only these models',
    },
  },
  description: 'Requires an API key with the role admin. Days without requests are omitted.',
  examples: [
    { what: 'Show the last 7 days', line: 'modelwire usage' },
    {
      what: 'Show the last 30 days by project and model',
      line: 'modelwire usage --days 30 --group-by project --group-by model',
    },
    { what: 'Show the spending of budgets', line: 'modelwire usage --budgets' },
  ],
  async run({ flags, transport, print, signal }) {
    if (flags.budgets) {
      await print.rows(await fetchBudgets(await transport(), flags, signal), budgetColumns, 'No budgets.');
      return;
    }
    const groups = flags['group-by'];
    const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
    const query = {
      start_time: today - ((flags.days ?? 7) - 1) * DAY_SECONDS,
      limit: 31,
      group_by: groups.map((group) => GROUPS[group]),
      project_ids: flags.project,
      api_key_ids: flags.key,
      models: flags.model,
    };
    const rows = rowsOf(await transport(), query, signal);
    await print.rows(rows, [...groups.map((group) => groupColumns[group]), ...columns], 'No usage.');
  },
});

/** One page of rows for each page of days. */
async function* rowsOf(
  transport: Transport,
  query: Readonly<Record<string, number | readonly string[]>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let page: string | null | undefined; page !== null;) {
    const found: UsagePage = await transport.request<UsagePage>(retrieveUsage, {
      query: { ...query, ...(page !== undefined && { page }) },
      signal,
    });
    yield found.data.flatMap(({ start_time, results }) =>
      results
        .filter((result) => result.num_model_requests > 0)
        .map((result) => ({ date: new Date(start_time * 1000).toISOString().slice(0, 10), ...result })),
    );
    page = found.has_more ? found.next_page : null;
  }
}
