import { Progress } from '@mantine/core';
import type { Budget } from '@modelwire/client';
import { Fragment } from 'react';
import { formatShare } from '../../components/format.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { budgetState, formatAmount, usedShare } from './amounts.ts';
import { forecastOf } from './forecast.ts';
import type { Forecast } from './forecast.ts';

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
  const facts: readonly React.ReactNode[] = [
    ...(refusingLimit !== null && soft_limit !== null ? [`soft limit ${amount(soft_limit)}`] : []),
    ...(reserved > 0 ? [`${amount(reserved)} reserved`] : []),
    ...(forecast !== undefined && limit !== null
      ? [<ForecastText key="forecast" forecast={forecast} period={period} amount={amount} />]
      : []),
  ];
  return (
    <div className="budget-bar">
      <div className="budget-amounts">
        <span>
          <strong>{amount(spent)}</strong>
          {limit !== null && ` of ${amount(limit)}`}
          {override_limit !== null && ` (instead of ${amount(hard_limit)})`}
        </span>
        {share !== undefined && <span>{formatShare(share)}</span>}
      </div>
      {limit !== null && limit > 0 && (
        <div className="budget-track">
          <Progress.Root
            className="meter"
            data-tone={tone === 'good' && forecast?.usedUpAt !== undefined ? 'warning' : tone}
          >
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
      {facts.length > 0 && (
        <span className="note">
          {facts.map((fact, index) => (
            <Fragment key={index}>
              {index > 0 && ' · '}
              {fact}
            </Fragment>
          ))}
        </span>
      )}
    </div>
  );
}

interface ForecastProps {
  readonly forecast: Forecast;
  readonly period: Budget['period'];
  readonly amount: (value: number) => string;
}

function ForecastText({ forecast: { usedUpAt, atEnd }, period, amount }: ForecastProps) {
  if (usedUpAt === undefined) return `at this rate ${amount(Math.round(atEnd))} by the end of the ${period}`;
  return (
    <strong>
      Warning: at this rate used up <RelativeTime seconds={Math.round(usedUpAt)} />
    </strong>
  );
}
