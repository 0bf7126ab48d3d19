import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { ChartProps } from './chart-props.ts';

const tick = { fill: 'var(--muted)', fontSize: 12 } as const;
const tooltip = {
  background: 'var(--surface)',
  border: '1px solid var(--line)',
  borderRadius: 6,
  color: 'var(--text)',
  fontSize: 13,
} as const;

/** The axes, the grid and the marks of a chart. */
export function Plot({ labels, series, kind, format }: Required<ChartProps>) {
  const rows = labels.map((label, index) => ({
    label,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[index] ?? (kind === 'lines' ? null : 0)])),
  }));
  const formatValue = (value: unknown): string => (typeof value === 'number' ? format(value) : '–');
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={rows} margin={{ top: 4, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          height={22}
          minTickGap={32}
          interval="equidistantPreserveStart"
        />
        <YAxis tick={tick} tickLine={false} axisLine={false} width="auto" tickFormatter={formatValue} tickCount={4} />
        <Tooltip
          contentStyle={tooltip}
          itemStyle={{ color: 'var(--text)' }}
          cursor={{ fill: 'var(--raised)', stroke: 'var(--line)' }}
          formatter={formatValue}
          isAnimationActive={false}
        />
        {series.map(({ name, color, values }) =>
          kind === 'bars' ? (
            <Bar
              key={name}
              dataKey={name}
              stackId="all"
              fill={`var(--${color})`}
              maxBarSize={40}
              isAnimationActive={false}
            />
          ) : (
            <Line
              key={name}
              dataKey={name}
              stroke={`var(--${color})`}
              strokeWidth={2}
              // A single point has no line.
              dot={values.filter((value) => value !== null).length === 1 && { r: 2 }}
              connectNulls
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
