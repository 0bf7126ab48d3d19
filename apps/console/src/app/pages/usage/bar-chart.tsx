import { formatNumber } from '../../components/format.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly tone?: 'danger' | 'second';
}

interface Props {
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Formats a value. Default: `formatNumber`. */
  readonly format?: (value: number) => string;
}

const width = 600;
const height = 140;

/** A stacked bar chart. For screen readers, the tables below the charts contain the same numbers. */
export function BarChart({ title, labels, series, format = formatNumber }: Props) {
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highestTotal = Math.max(0, ...totals);
  // Prevents a division by zero: if all values are 0, all bars are empty.
  const max = highestTotal === 0 ? 1 : highestTotal;
  const step = width / Math.max(1, labels.length);
  return (
    <figure className="card chart">
      <figcaption>
        <strong>{title}</strong>
        <span className="note">
          {series.map(({ name, tone }) => (
            <span key={name} className={`legend ${tone ?? 'first'}`}>
              {name}
            </span>
          ))}
          Highest {format(highestTotal)}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}, highest ${format(highestTotal)}`}>
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        {labels.map((label, index) => (
          <g key={label}>
            <title>{`${label}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join(', ')}`}</title>
            <rect className="hit" x={index * step} y="0" width={step} height={height} />
            {stackSeries(series, index).map(({ tone, from, value }, segmentIndex) => (
              <rect
                key={segmentIndex}
                className={tone}
                x={index * step + step * 0.12}
                width={step * 0.76}
                y={height - ((from + value) / max) * (height - 6)}
                height={(value / max) * (height - 6)}
              />
            ))}
          </g>
        ))}
      </svg>
      <p className="note axis">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </p>
    </figure>
  );
}

function stackSeries(series: readonly Series[], index: number) {
  let offset = 0;
  return series.map(({ values, tone = 'first' }) => {
    const value = values[index] ?? 0;
    const segment = { tone, from: offset, value };
    offset += value;
    return segment;
  });
}
