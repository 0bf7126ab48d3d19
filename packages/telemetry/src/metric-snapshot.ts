/**
 * How the values of a gauge in several processes become one. `sum`: what each process has of its own, such as open connections. `max`: what
 * all have in common, such as a limit. `first`: what all read from the same place, such as a database.
 */
export type GaugeMerge = 'sum' | 'max' | 'first';

/** The values of a metric at one time. Plain data: processes send it to each other. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Default `sum`. */
  readonly merge?: GaugeMerge | undefined;
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[] | undefined;
  readonly series: readonly SeriesSnapshot[];
}

export interface SeriesSnapshot {
  /** As in the text format, without braces. */
  readonly labels: string;
  /** One value; of a histogram, the count of each bucket, without those of smaller buckets, that of values without an upper bound, and the sum. */
  readonly values: readonly number[];
}

/** Adds up the metrics of several processes. Those that are first in the list are first in the result. */
export function mergeSnapshots(processes: readonly (readonly MetricSnapshot[])[]): readonly MetricSnapshot[] {
  const merged = new Map<string, { readonly first: MetricSnapshot; readonly series: Map<string, readonly number[]> }>();
  for (const metric of processes.flat()) {
    const known = merged.get(metric.name);
    const series = known?.series ?? new Map<string, readonly number[]>();
    if (!known) merged.set(metric.name, { first: metric, series });
    if (known && metric.merge === 'first') continue;
    for (const { labels, values } of metric.series) {
      const before = series.get(labels);
      series.set(labels, before ? combine(before, values, metric) : values);
    }
  }
  return [...merged.values()].map(({ first, series }) => ({
    ...first,
    series: [...series].map(([labels, values]) => ({ labels, values })),
  }));
}

function combine(
  before: readonly number[],
  values: readonly number[],
  { merge }: Pick<MetricSnapshot, 'merge'>,
): readonly number[] {
  return before.map((value, index) => {
    const other = values[index] ?? 0;
    return merge === 'max' ? Math.max(value, other) : value + other;
  });
}

/** Only counters and histograms: what a process that has exited still counts towards. */
export function cumulativeOnly(metrics: readonly MetricSnapshot[]): readonly MetricSnapshot[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** The text format of Prometheus. */
export function renderSnapshots(metrics: readonly MetricSnapshot[]): string {
  return metrics.map(renderSnapshot).join('');
}

function renderSnapshot({ name, help, type, buckets = [], series }: MetricSnapshot): string {
  const render = ({ labels, values }: SeriesSnapshot): string =>
    type === 'histogram' ? renderHistogram(name, labels, buckets, values) : line(name, labels, values[0] ?? 0);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${series.map(render).join('')}`;
}

function renderHistogram(name: string, labels: string, buckets: readonly number[], values: readonly number[]): string {
  const separator = labels === '' ? '' : ',';
  let count = 0;
  let text = '';
  for (const [index, bound] of [...buckets, Infinity].entries()) {
    count += values[index] ?? 0;
    const le = bound === Infinity ? '+Inf' : String(bound);
    text += line(`${name}_bucket`, `${labels}${separator}le="${le}"`, count);
  }
  const sum = values[buckets.length + 1] ?? 0;
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count);
}

function line(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}\n` : `${name}{${labels}} ${value}\n`;
}
