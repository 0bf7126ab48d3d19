import type { ActivityReport, UsageReport } from '@modelwire/server/internal';

/** What is shown of a period, from either report. */
export interface Figures {
  readonly currency: string | null;
  /** When the period begins, in Unix seconds. */
  readonly start: number;
  readonly seconds: number;
  readonly stepSeconds: number;
  readonly steps: readonly Step[];
  readonly total: UsageReport['total'];
}

type Step = UsageReport['total'] & { readonly label: string };

const timeLabel = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
/** Days are UTC. */
const dayLabel = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function figuresOfHours({ currency, step_seconds, steps, total }: ActivityReport): Figures {
  return {
    currency,
    start: steps[0]?.start ?? 0,
    seconds: steps.length * step_seconds,
    stepSeconds: step_seconds,
    steps: steps.map((step) => ({ ...step, label: timeLabel.format(step.start * 1000) })),
    total,
  };
}

const secondsPerDay = 86_400;

export function figuresOfDays({ currency, days, total }: UsageReport): Figures {
  return {
    currency,
    start: days[0] === undefined ? 0 : Date.parse(days[0].date) / 1000,
    seconds: days.length * secondsPerDay,
    stepSeconds: secondsPerDay,
    steps: days.map((day) => ({ ...day, label: dayLabel.format(new Date(day.date)) })),
    total,
  };
}
