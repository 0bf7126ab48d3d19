import type { MetricSnapshot } from './metric-snapshot.ts';

export interface MetricOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** The maximum number of series of a metric. All further combinations of label values share a series whose label values are `other`. */
const maxSeries = 5000;

/** A metric and its series, one for each combination of label values. */
export abstract class Metric<Label extends string = string, Series = unknown> {
  readonly #name: string;
  readonly #help: string;
  readonly #labels: readonly Label[];
  readonly #series = new Map<string, { readonly labels: string; readonly series: Series }>();
  protected abstract readonly type: MetricSnapshot['type'];

  constructor({ name, help, labels = [] }: MetricOptions<Label>) {
    this.#name = name;
    this.#help = help;
    this.#labels = labels;
  }

  protected abstract create(): Series;
  protected abstract valuesOf(series: Series): readonly number[];
  /** Additional fields of the snapshots of this type of metric. */
  protected details(): Pick<MetricSnapshot, 'merge' | 'buckets'> {
    return {};
  }

  /**
   * Returns the series with these label values, in the order of the labels. Keep the series if it is updated often: the lookup takes longer
   * than the update.
   */
  series(...values: readonly string[]): Series {
    const key = values.join('\u0000');
    const known = this.#series.get(key);
    if (known) return known.series;
    const isFull = this.#series.size >= maxSeries && values.length > 0;
    if (isFull && values.some((value) => value !== 'other')) return this.series(...values.map(() => 'other'));
    const labels = this.#labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`).join(',');
    const series = this.create();
    this.#series.set(key, { labels, series });
    return series;
  }

  /** Removes all series, for gauges whose label values can disappear. */
  clear(): void {
    this.#series.clear();
  }

  snapshot(): MetricSnapshot {
    const series = [...this.#series.values()].map(({ labels, series: one }) => ({
      labels,
      values: this.valuesOf(one),
    }));
    return { name: this.#name, help: this.#help, type: this.type, ...this.details(), series };
  }
}

function escaped(value: string): string {
  return /["\\\n]/.test(value)
    ? value
        .replaceAll('\\', '\\\\')
        .replaceAll('"', String.raw`\"`)
        .replaceAll('\n', String.raw`\n`)
    : value;
}
