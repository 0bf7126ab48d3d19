import { Skeleton, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ChartProps, Series } from './chart-props.ts';
import { formatNumber } from './format.ts';

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
