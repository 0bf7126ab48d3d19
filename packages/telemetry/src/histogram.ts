import { Metric } from './metric.ts';
import type { MetricOptions } from './metric.ts';
import type { MetricSnapshot } from './metric-snapshot.ts';

export class HistogramSeries {
  readonly #buckets: readonly number[];
  /** The number of values in each bucket, not including smaller buckets. The last bucket has no upper bound. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.counts = new Float64Array(buckets.length + 1);
  }

  record(value: number): void {
    const buckets = this.#buckets;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] ?? Infinity)) index++;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

/** A distribution of values over buckets. */
export class Histogram<Label extends string = string> extends Metric<Label, HistogramSeries> {
  protected override readonly type = 'histogram';
  readonly #buckets: readonly number[];

  constructor({ buckets, ...init }: MetricOptions<Label> & { readonly buckets: readonly number[] }) {
    super(init);
    this.#buckets = buckets;
  }

  protected override create(): HistogramSeries {
    return new HistogramSeries(this.#buckets);
  }

  protected override details(): Pick<MetricSnapshot, 'buckets'> {
    return { buckets: this.#buckets };
  }

  protected override valuesOf({ counts, sum }: HistogramSeries): readonly number[] {
    return [...counts, sum];
  }
}
