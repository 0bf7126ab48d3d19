/**
 * How the values of a gauge in several processes are merged. `sum`: for what each process has separately, such as open connections. `max`: for
 * what all processes have in common, such as a limit. `first`: for what all processes read from the same source, such as a database.
 */
export type GaugeMerge = 'sum' | 'max' | 'first';

/** The values of a metric at one point in time, as plain data that can be sent between processes. */
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
  /** The labels in the text format, without braces. */
  readonly labels: string;
  /**
   * One value. For a histogram: the count of each bucket, not including smaller buckets; the count of larger values; and the sum of all
   * values.
   */
  readonly values: readonly number[];
}

/** Merges the metrics of several processes, in the order of the list. */
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

/** The counters and histograms among metrics, which remain valid after a process has exited. */
export function filterCumulative(metrics: readonly MetricSnapshot[]): readonly MetricSnapshot[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** Converts snapshots to the Prometheus text format. */
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
