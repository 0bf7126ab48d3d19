import { addCounts } from '@modelwire/adapter-kit/internal';
import type { ComparisonResult, ComparisonSide } from '@modelwire/schema/types';
import type { Prices } from '../../limits/prices.ts';
import { createFailureTally, Failure } from './failures.ts';
import type { ComparedReply } from './replies.ts';
import type { Scores } from './scorers.ts';

/** Sums what the replies of one side took. */
export function createSide(prices: Prices) {
  const failures = createFailureTally();
  const totals = { replies: 0, input_tokens: 0, output_tokens: 0 };
  let micros: number | undefined;
  let durations = 0;
  let durationMs = 0;
  return {
    add(reply: ComparedReply | Failure, caseId: string): void {
      if (reply instanceof Failure) {
        failures.add(reply, caseId);
        return;
      }
      const { model, usage, durationMs: ms } = reply;
      totals.replies++;
      totals.input_tokens = addCounts(totals.input_tokens, usage?.prompt_tokens ?? 0);
      totals.output_tokens = addCounts(totals.output_tokens, usage?.completion_tokens ?? 0);
      const cost = prices.costOf(model, usage);
      if (cost !== undefined) micros = addCounts(micros ?? 0, cost);
      if (ms === undefined) return;
      durations++;
      durationMs += ms;
    },
    total: (): ComparisonSide => ({
      ...totals,
      errors: failures.total(),
      cost: micros === undefined ? null : micros / 1e6,
      mean_duration_ms: durations === 0 ? null : Math.round(durationMs / durations),
    }),
  };
}

/** Sums the scores of one scorer. */
export function createTally() {
  const failures = createFailureTally();
  const counts = { scored: 0, failed: 0, wins: 0, losses: 0, ties: 0 };
  let baseline = 0;
  let candidate = 0;
  return {
    add(scores: Scores | Failure, caseId: string): void {
      if (scores instanceof Failure) {
        counts.failed++;
        failures.add(scores, caseId);
        return;
      }
      counts.scored++;
      baseline += scores.baseline;
      candidate += scores.candidate;
      counts[outcomeOf(scores)]++;
    },
    total: (): Omit<ComparisonResult, 'type' | 'request_file_ids'> => {
      const { scored, wins, ties } = counts;
      const winRate = (wins + ties / 2) / scored;
      return {
        ...counts,
        errors: failures.total(),
        baseline_mean: scored === 0 ? null : baseline / scored,
        candidate_mean: scored === 0 ? null : candidate / scored,
        win_rate: scored === 0 ? null : winRate,
        win_rate_interval: scored === 0 ? null : wilsonInterval(winRate, scored),
      };
    },
  };
}

export function outcomeOf({ baseline, candidate }: Scores): 'wins' | 'losses' | 'ties' {
  if (candidate === baseline) return 'ties';
  return candidate > baseline ? 'wins' : 'losses';
}

/** The standard normal quantile of a 95 % interval. */
const z = 1.959964;

/** The 95 % confidence interval of a share of `count` cases (Wilson score interval). */
function wilsonInterval(share: number, count: number): [low: number, high: number] {
  const centre = share + z ** 2 / (2 * count);
  const margin = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return [Math.max(0, (centre - margin) / scale), Math.min(1, (centre + margin) / scale)];
}
