import { Progress } from '@mantine/core';
import type { Budget } from '@modelwire/client';
import { formatShare } from '../../components/format.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { budgetState, formatAmount, usedShare } from './amounts.ts';
import { forecastOf } from './forecast.ts';

interface Props {
  readonly budget: Budget;
  /** What the budget is called, for screen readers. */
  readonly title: string;
  readonly currency: string | null | undefined;
}

/** What a budget has used of its limit as a bar, with a mark at the soft limit, and what it uses until its period ends. */
export function BudgetBar({ budget, title, currency }: Props) {
  const { unit, spent, reserved, soft_limit, hard_limit, override_limit, period } = budget;
  const { limit: refusingLimit, tone } = budgetState(budget);
  const limit = refusingLimit ?? soft_limit;
  const amount = (value: number | null): string => formatAmount(unit, value, currency);
  const share = usedShare(budget);
  const forecast = forecastOf(budget, Date.now() / 1000);
  const percent = (value: number): number => (limit === null ? 0 : Math.min(100, (100 * value) / limit));
  const used = percent(spent + reserved);
  return (
    <div className="budget-bar">
      <div className="budget-amounts">
        <span>
          <strong>{amount(spent)}</strong>
          {reserved > 0 && ` + ${amount(reserved)} reserved`}
          {limit !== null && ` of ${amount(limit)}`}
          {override_limit !== null && ` (instead of ${amount(hard_limit)})`}
        </span>
        <span className="note">
          {share !== undefined && formatShare(share)}
          {refusingLimit !== null && soft_limit !== null && ` · soft limit ${amount(soft_limit)}`}
        </span>
      </div>
      {limit !== null && limit > 0 && (
        <div className="budget-track">
          <Progress.Root className="meter" data-tone={tone}>
            <Progress.Section value={used} aria-label={`Used of the ${title}`} />
            {forecast !== undefined && (
              <Progress.Section className="forecast" value={percent(forecast.atEnd) - used} aria-hidden />
            )}
          </Progress.Root>
          {refusingLimit !== null && soft_limit !== null && (
            <span className="soft-limit" style={{ insetInlineStart: `${percent(soft_limit)}%` }} />
          )}
        </div>
      )}
      {forecast !== undefined && limit !== null && (
        <span className="note">
          {forecast.usedUpAt === undefined ? (
            `At this rate, ${amount(Math.round(forecast.atEnd))} by the end of the ${period}`
          ) : (
            <>
              At this rate, used up <RelativeTime seconds={Math.round(forecast.usedUpAt)} />
            </>
          )}
        </span>
      )}
    </div>
  );
}
