import { Chart } from '../../components/chart.tsx';
import { formatCompact, formatDuration, formatMoney } from '../../components/format.ts';
import type { Figures } from './figures.ts';
import { formatRate } from './format-rate.ts';

/** The figures of a period over time. */
export function FigureCharts({ figures: { steps, stepSeconds, currency } }: { readonly figures: Figures }) {
  const labels = steps.map(({ label }) => label);
  const percentiles = (name: 'first_token_ms' | 'duration_ms') =>
    [
      { name: 'p50', values: steps.map((step) => step[name]?.p50 ?? null), color: 'series-1' },
      { name: 'p95', values: steps.map((step) => step[name]?.p95 ?? null), color: 'series-3' },
    ] as const;
  return (
    <div className="charts">
      <Chart
        title="Requests"
        labels={labels}
        series={[
          { name: 'Successful', values: steps.map(({ requests, errors }) => requests - errors), color: 'series-1' },
          { name: 'Errors', values: steps.map(({ errors }) => errors), color: 'series-bad' },
        ]}
        format={formatCompact}
      />
      <Chart
        title="Tokens"
        labels={labels}
        series={[
          { name: 'Input', values: steps.map(({ input_tokens }) => input_tokens), color: 'series-1' },
          { name: 'Output', values: steps.map(({ output_tokens }) => output_tokens), color: 'series-2' },
        ]}
        format={formatCompact}
      />
      <Chart
        title="Time to first token"
        kind="lines"
        labels={labels}
        series={percentiles('first_token_ms')}
        format={formatDuration}
      />
      <Chart
        title="Duration"
        kind="lines"
        labels={labels}
        series={percentiles('duration_ms')}
        format={formatDuration}
      />
      {currency !== null && (
        <Chart
          title={`Cost (${currency.toUpperCase()})`}
          labels={labels}
          series={[{ name: 'Cost', values: steps.map(({ cost }) => cost), color: 'series-1' }]}
          format={(value) => formatMoney(value, currency)}
        />
      )}
      <Chart
        title="Throughput, output tokens per second"
        kind="lines"
        labels={labels}
        series={[
          {
            name: 'Throughput',
            values: steps.map(({ output_tokens }) => output_tokens / stepSeconds),
            color: 'series-2',
          },
        ]}
        format={formatRate}
      />
    </div>
  );
}
