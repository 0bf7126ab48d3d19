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
  /** Default: as a number. */
  readonly format?: (value: number) => string;
}

const width = 600;
const height = 140;

/** Stacked bars. The tables below the charts have the same numbers for those who cannot see them. */
export function BarChart({ title, labels, series, format = formatNumber }: Props) {
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = Math.max(0, ...totals);
  // Without a value all bars are empty.
  const max = highest === 0 ? 1 : highest;
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
          Highest {format(highest)}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}, highest ${format(highest)}`}>
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        {labels.map((label, index) => (
          <g key={label}>
            <title>{`${label}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join(', ')}`}</title>
            <rect className="hit" x={index * step} y="0" width={step} height={height} />
            {stack(series, index).map(({ tone, from, value }, at) => (
              <rect
                key={at}
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

function stack(series: readonly Series[], index: number) {
  let from = 0;
  return series.map(({ values, tone = 'first' }) => {
    const value = values[index] ?? 0;
    const part = { tone, from, value };
    from += value;
    return part;
  });
}
