import type { ComparisonSide, DatasetComparison } from '@modelwire/client';
import type { Column } from '../../components/columns.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatDuration, formatMoney, formatNumber } from '../../components/format.ts';

interface Measure {
  readonly name: string;
  readonly valueOf: (side: ComparisonSide) => number | null;
  readonly format: (value: number) => string;
}

interface Row {
  readonly name: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly change: string;
}

const columns: readonly Column<Row>[] = [
  { header: 'Measure', width: 150, grows: true, isRowHeader: true, cell: ({ name }) => name },
  { header: 'Baseline', width: 110, numeric: true, cell: ({ baseline }) => baseline },
  { header: 'Candidate', width: 110, numeric: true, cell: ({ candidate }) => candidate },
  { header: 'Change', width: 90, numeric: true, cell: ({ change }) => change },
];

/** What the replies of both sides took: cost, duration and tokens. */
export function Sides({ comparison: { baseline, candidate, currency } }: { readonly comparison: DatasetComparison }) {
  const measures: readonly Measure[] = [
    { name: 'Replies', valueOf: ({ replies }) => replies, format: formatNumber },
    { name: 'Cost', valueOf: ({ cost }) => cost, format: (cost) => formatMoney(cost, currency) },
    { name: 'Mean duration', valueOf: ({ mean_duration_ms }) => mean_duration_ms, format: formatDuration },
    { name: 'Input tokens', valueOf: ({ input_tokens }) => input_tokens, format: formatNumber },
    { name: 'Output tokens', valueOf: ({ output_tokens }) => output_tokens, format: formatNumber },
  ];
  const rows = measures.map(({ name, valueOf, format }): Row => {
    const [before, after] = [valueOf(baseline), valueOf(candidate)];
    const text = (value: number | null): string => (value === null ? '–' : format(value));
    return { name, baseline: text(before), candidate: text(after), change: changeOf(before, after) };
  });
  return (
    <section className="card" aria-label="Cost and latency">
      <h2>Cost and latency</h2>
      <DataTable label="Cost and latency, table" columns={columns} rows={rows} keyOf={({ name }) => name} />
    </section>
  );
}

function changeOf(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return '–';
  const percent = Math.round(100 * (after / before - 1));
  return percent === 0 ? 'same' : `${percent > 0 ? '+' : '−'}${formatNumber(Math.abs(percent))} %`;
}
