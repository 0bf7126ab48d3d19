import { Skeleton, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { formatNumber } from './format.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A color of the style sheet. */
  readonly color: 'series-1' | 'series-2' | 'series-3' | 'series-bad';
}

export interface ChartProps {
  readonly title: string;
  /** The steps of time, oldest first. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Lines of a measure, or bars of counts that are stacked. Default: bars. */
  readonly kind?: 'bars' | 'lines';
  /** Formats a value with its unit. Default: `formatNumber`. */
  readonly format?: (value: number) => string;
}

// Half of the scripts of a page with charts: loaded after its figures.
const Plot = lazy(() => import('./plot.tsx').then(({ Plot }) => ({ default: Plot })));

/** A chart over time whose legend shows and hides series. For screen readers, the figures and tables of the page contain the same numbers. */
export function Chart(props: ChartProps) {
  const { title, series, kind = 'bars', format = formatNumber } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = series.filter(({ name }) => !hidden.has(name));
  const toggle = (name: string): void => {
    const changed = new Set(hidden);
    if (!changed.delete(name)) changed.add(name);
    setHidden(changed);
  };
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{title}</h3>
        <span className="actions">
          {series.length > 1 &&
            series.map(({ name, color }) => (
              <UnstyledButton
                key={name}
                className="legend"
                data-color={color}
                aria-pressed={!hidden.has(name)}
                onClick={() => toggle(name)}
              >
                {name}
              </UnstyledButton>
            ))}
        </span>
      </figcaption>
      <div className="plot" role="img" aria-label={`${title}, highest ${format(highestOf(shown, kind))}`}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <Plot {...props} kind={kind} format={format} series={shown} />
        </Suspense>
      </div>
    </figure>
  );
}

/** The highest value, or the highest sum of bars that are stacked. */
function highestOf(series: readonly Series[], kind: 'bars' | 'lines'): number {
  if (kind === 'lines') return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const totals = Array.from({ length }, (_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return Math.max(0, ...totals);
}
