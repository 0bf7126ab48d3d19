import type { ComparisonResult, DatasetComparison } from '@modelwire/client';
import { formatNumber, formatShare } from '../../components/format.ts';
import { Errors } from './errors.tsx';
import { scorerLabel } from './scorer-labels.ts';

/** How often the candidate wins, by each scorer. */
export function Scores({ comparison: { scorers } }: { readonly comparison: DatasetComparison }) {
  return (
    <div className="scores">
      {scorers.map((scorer, index) => (
        <Score key={index} scorer={scorer} />
      ))}
    </div>
  );
}

function Score({ scorer }: { readonly scorer: ComparisonResult }) {
  const { type, scored, win_rate, win_rate_interval, wins, losses, ties } = scorer;
  const label = scorerLabel(type);
  if (win_rate === null || scored === 0)
    return (
      <section className="card" aria-label={label}>
        <h2>{label}</h2>
        <p className="note">No case has a score.</p>
        <Errors lacking="a score" errors={scorer.errors} />
      </section>
    );
  const [low = win_rate, high = win_rate] = win_rate_interval ?? [];
  return (
    <section className="card" aria-label={label}>
      <h2>{label}</h2>
      <p className="win-rate">
        <strong>{formatShare(win_rate)}</strong> win rate of the candidate; a tie is half a win
      </p>
      <WinRate rate={win_rate} low={low} high={high} />
      <p className="note">
        95 % confidence: {formatShare(low)} to {formatShare(high)}
        {low > 0.5 ? ', better than the baseline' : high < 0.5 ? ', worse than the baseline' : ', no clear difference'}
      </p>
      <p className="note">
        {formatNumber(wins)} wins, {formatNumber(losses)} losses, {formatNumber(ties)} ties · mean score{' '}
        {formatMean(scorer.baseline_mean)} → {formatMean(scorer.candidate_mean)}
      </p>
      <Errors lacking="a score" errors={scorer.errors} />
    </section>
  );
}

const formatMean = (mean: number | null): string => (mean === null ? '–' : mean.toFixed(3));

interface WinRateProps {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** The win rate as a mark in its confidence interval, on a scale from 0 to 1 whose middle means equal. */
function WinRate({ rate, low, high }: WinRateProps) {
  return (
    <svg className="win-rate-scale" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" x="0" y="3" width="100" height="2" />
      <rect className="middle" x="49.75" y="0" width="0.5" height="8" />
      <rect className="interval" x={100 * low} y="2" width={100 * (high - low)} height="4" />
      <rect className="rate" x={Math.max(0, 100 * rate - 0.5)} y="0" width="1" height="8" />
    </svg>
  );
}
