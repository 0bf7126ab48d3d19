import type { Batch } from '@modelwire/client';
import type { EngineStats } from '@modelwire/server';
import { statusColor } from '../output/status-color.ts';
import type { Style } from '../output/style.ts';
import { alignedTable, tabbedTable } from '../output/table.ts';
import type { Column } from '../output/table.ts';
import type { ActivityOfPeriod, Snapshot } from './snapshot.ts';

type Upstream = Snapshot['upstreams'][number];

const number = new Intl.NumberFormat('en-US');
const percentiles = (value: ActivityOfPeriod['duration_ms']): string =>
  value === null ? '' : `${number.format(Math.round(value.p50))} / ${number.format(Math.round(value.p95))}`;

const activityColumns: readonly Column<ActivityOfPeriod>[] = [
  { head: 'period', shrinks: true, cell: ({ period }) => period },
  { head: 'requests', right: true, cell: ({ requests }) => number.format(requests) },
  { head: 'errors', right: true, cell: ({ errors }) => number.format(errors) },
  { head: 'input', right: true, cell: ({ input_tokens }) => number.format(input_tokens) },
  { head: 'output', right: true, cell: ({ output_tokens }) => number.format(output_tokens) },
  { head: 'ttft ms', right: true, cell: ({ first_token_ms }) => percentiles(first_token_ms) },
  { head: 'duration ms', right: true, cell: ({ duration_ms }) => percentiles(duration_ms) },
];

const engineColumns: readonly Column<EngineStats>[] = [
  { head: 'engine', shrinks: true, cell: ({ name }) => name },
  { head: 'active', right: true, cell: ({ active }) => active },
  { head: 'waiting', right: true, cell: ({ waiting }) => waiting },
  { head: 'slots', right: true, cell: ({ concurrency }) => concurrency },
];

const upstreamColumns: readonly Column<Upstream>[] = [
  { head: 'upstream', cell: ({ name }) => name },
  { head: 'status', cell: ({ status }) => status.replace('_', ' '), color: statusColor },
  { head: 'ms', right: true, cell: ({ latency_ms }) => latency_ms },
  {
    head: 'cached',
    right: true,
    cell: ({ cache_hit_rate: rate }) => (rate === null ? '' : `${Math.round(rate * 100)} %`),
  },
  { head: 'open circuits', cell: ({ circuits }) => openCircuits(circuits) },
  { head: 'last error', shrinks: true, cell: ({ last_error }) => last_error?.message },
];

const openCircuits = (circuits: Upstream['circuits']): string =>
  circuits.flatMap(({ model, state }) => (state === 'closed' ? [] : [model])).join(' ');

const batchColumns: readonly Column<Batch>[] = [
  { head: 'batch', shrinks: true, cell: ({ id }) => id },
  { head: 'status', cell: ({ status }) => status, color: statusColor },
  { head: 'done', right: true, cell: ({ request_counts: counts }) => counts && counts.completed + counts.failed },
  { head: 'total', right: true, cell: ({ request_counts: counts }) => counts?.total },
  { head: 'failed', right: true, cell: ({ request_counts: counts }) => counts?.failed },
];

/** The text of a snapshot: tables that fit the terminal, or complete ones for a pipe. */
export function snapshotText(snapshot: Snapshot, style: Style, columns: number | undefined): string {
  const { version, in_flight, activity, engines, upstreams, batches } = snapshot;
  const waiting = engines.reduce((sum, engine) => sum + engine.waiting, 0);
  const table = <Row>(rows: readonly Row[], of: readonly Column<Row>[]): readonly string[] =>
    rows.length === 0 ? [] : [columns === undefined ? tabbedTable(rows, of) : alignedTable(rows, of, columns, style)];
  const head = `Modelwire ${version}: ${in_flight} requests in flight, ${waiting} waiting, ${batches.length} batches\n`;
  return [
    style('bold', head),
    ...table(activity, activityColumns),
    ...table(engines, engineColumns),
    ...table(upstreams, upstreamColumns),
    ...table(batches, batchColumns),
  ].join('\n');
}
