import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { activityQuery, usageQuery } from '../../api/usage.ts';
import { Chart } from '../../components/chart.tsx';
import { formatCompact, formatDuration, formatMoney, formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Attention } from './attention.tsx';
import { figuresOfDays, figuresOfHours } from './figures.ts';
import type { Figures } from './figures.ts';
import { NextSteps } from './next-steps.tsx';
import { parsePeriod, periodNames, periods } from './periods.ts';
import { StatTile } from './stat-tile.tsx';

const route = getRouteApi('/home');

/** What happens on the server: figures and charts of a period, running work, and what needs attention. */
export function Home() {
  const { period } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = periods[period];
  const isHours = 'hours' in chosen;
  const activity = useQuery({
    ...activityQuery(isHours ? chosen.hours : 24),
    enabled: isHours,
    select: figuresOfHours,
  });
  const usage = useQuery({
    ...usageQuery({ days: isHours ? 7 : chosen.days, project: '', key: '', model: '' }),
    enabled: !isHours,
    select: figuresOfDays,
  });
  const query = isHours ? activity : usage;
  const { data: figures } = query;
  return (
    <>
      <PageHeader
        title="Home"
        subtitle={
          figures?.since !== undefined && (
            <>
              Counted since the server was started <RelativeTime seconds={figures.since} />
            </>
          )
        }
      >
        <SegmentedControl
          aria-label="Period"
          data={periodNames.map((value) => ({ value, label: periods[value].label }))}
          value={period}
          onChange={(value) => void navigate({ search: { period: parsePeriod(value) }, replace: true })}
        />
      </PageHeader>
      <QueryNotice query={query} errorTitle="The figures could not be loaded." />
      {figures !== undefined && (
        <div aria-busy={query.isPlaceholderData}>
          <Tiles figures={figures} />
          <Attention />
          {figures.total.requests === 0 ? <NextSteps period={chosen.label} /> : <Charts figures={figures} />}
        </div>
      )}
    </>
  );
}

interface Props {
  readonly figures: Figures;
}

function Tiles({ figures: { total, currency, seconds } }: Props) {
  const { requests, errors, first_token_ms: firstToken, duration_ms: duration, mean_duration_ms: mean } = total;
  const milliseconds = (value: number | null | undefined): string =>
    value === undefined || value === null ? '–' : formatDuration(value);
  const isMean = mean !== undefined;
  return (
    <div className="tiles">
      <StatTile
        label="Requests"
        value={formatCompact(requests)}
        note={`${formatPerMinute(requests, seconds)} a minute`}
      />
      <StatTile
        label="Errors"
        value={formatCompact(errors)}
        note={requests === 0 ? '–' : `${((100 * errors) / requests).toFixed(1)} % of requests`}
        tone={errors > 0 ? 'bad' : undefined}
      />
      <StatTile
        label="Tokens"
        value={formatCompact(total.input_tokens + total.output_tokens)}
        note={`${formatCompact(total.input_tokens)} in, ${formatCompact(total.output_tokens)} out`}
      />
      <StatTile
        label="Cost"
        value={currency === null ? '–' : formatMoney(total.cost, currency)}
        note={currency === null ? 'no prices are configured' : 'at the prices of the time'}
      />
      {!isMean && (
        <StatTile
          label="First token, p50"
          value={milliseconds(firstToken?.p50)}
          note={`p95 ${milliseconds(firstToken?.p95)}`}
        />
      )}
      <StatTile
        label={isMean ? 'Duration, mean' : 'Duration, p50'}
        value={milliseconds(isMean ? mean : duration?.p50)}
        note={isMean ? 'percentiles: up to 24 h' : `p95 ${milliseconds(duration?.p95)}`}
      />
      <StatTile label="Throughput" value={formatRate(total.output_tokens / seconds)} note="output tokens, mean" />
    </div>
  );
}

const formatRate = (perSecond: number): string =>
  `${perSecond < 10 ? perSecond.toFixed(1) : formatCompact(perSecond)}/s`;

function formatPerMinute(count: number, seconds: number): string {
  const rate = (count * 60) / seconds;
  return rate >= 10 ? formatNumber(Math.round(rate)) : rate.toFixed(1);
}

function Charts({ figures: { steps, stepSeconds, currency } }: Props) {
  const labels = steps.map(({ label }) => label);
  const hasPercentiles = steps.some(({ duration_ms }) => duration_ms !== null);
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
      {hasPercentiles && (
        <Chart
          title="Time to first token"
          kind="lines"
          labels={labels}
          series={[
            { name: 'p50', values: steps.map(({ first_token_ms: ms }) => ms?.p50 ?? null), color: 'series-1' },
            { name: 'p95', values: steps.map(({ first_token_ms: ms }) => ms?.p95 ?? null), color: 'series-3' },
          ]}
          format={formatDuration}
        />
      )}
      <Chart
        title="Duration"
        kind="lines"
        labels={labels}
        series={
          hasPercentiles
            ? [
                { name: 'p50', values: steps.map(({ duration_ms: ms }) => ms?.p50 ?? null), color: 'series-1' },
                { name: 'p95', values: steps.map(({ duration_ms: ms }) => ms?.p95 ?? null), color: 'series-3' },
              ]
            : [{ name: 'Mean', values: steps.map(({ mean_duration_ms: mean }) => mean ?? null), color: 'series-1' }]
        }
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
