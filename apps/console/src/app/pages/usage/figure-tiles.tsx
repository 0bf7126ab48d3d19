import { Link } from '@tanstack/react-router';
import { allProjects } from '../../api/completions.ts';
import type { UsageFilters } from '../../api/usage.ts';
import { formatCompact, formatDuration, formatMoney, formatNumber, formatShare } from '../../components/format.ts';
import type { Figures } from './figures.ts';
import { formatRate } from './format-rate.ts';
import { StatTile } from './stat-tile.tsx';

interface Props {
  readonly figures: Figures;
  readonly filters: Partial<UsageFilters>;
}

/** The sums of a period. Errors link to the failed requests of the log. */
export function FigureTiles({ figures: { total, currency, start, seconds }, filters }: Props) {
  const { requests, errors, input_tokens, cached_tokens, output_tokens, first_token_ms, duration_ms } = total;
  const cached = cached_tokens > 0 ? `, ${formatShare(cached_tokens / input_tokens, 0)} cached` : '';
  return (
    <div className="tiles">
      <StatTile
        label="Requests"
        value={formatCount(requests)}
        note={`${formatPerMinute(requests, seconds)} a minute`}
      />
      <StatTile
        label={
          errors === 0 ? (
            'Errors'
          ) : (
            <Link
              to="/completions"
              search={{ ...filters, project: filters.project || allProjects, status: 'failed', start_time: start }}
            >
              Errors
            </Link>
          )
        }
        value={formatCount(errors)}
        note={requests === 0 ? '–' : `${formatShare(errors / requests)} of requests`}
        tone={errors > 0 ? 'bad' : undefined}
      />
      <StatTile
        label="Tokens"
        value={formatCompact(input_tokens + output_tokens)}
        note={`${formatCompact(output_tokens)} out${cached}`}
      />
      <StatTile
        label="Cost"
        value={currency === null ? '–' : formatMoney(total.cost, currency)}
        note={currency === null ? 'no price table' : 'of priced models'}
      />
      <StatTile
        label="First token, p50"
        value={milliseconds(first_token_ms?.p50)}
        note={`p95 ${milliseconds(first_token_ms?.p95)}`}
      />
      <StatTile
        label="Duration, p50"
        value={milliseconds(duration_ms?.p50)}
        note={`p95 ${milliseconds(duration_ms?.p95)}`}
      />
      <StatTile label="Throughput" value={formatRate(output_tokens / seconds)} unit="tokens/s" note="output, mean" />
    </div>
  );
}

/** Exact up to what fits into a tile. */
const formatCount = (count: number): string => (count < 100_000 ? formatNumber(count) : formatCompact(count));

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : formatDuration(value);
}

function formatPerMinute(count: number, seconds: number): string {
  const rate = (count * 60) / seconds;
  return rate >= 10 ? formatNumber(Math.round(rate)) : rate.toFixed(1);
}
