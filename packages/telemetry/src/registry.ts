import { Counter } from './counter.ts';
import { Gauge } from './gauge.ts';
import { Histogram } from './histogram.ts';
import type { Metric, MetricOptions } from './metric.ts';
import { renderSnapshots } from './metric-snapshot.ts';
import type { GaugeMerge, MetricSnapshot } from './metric-snapshot.ts';

/** A registry of metrics, which renders them in the Prometheus text format. */
export interface Registry {
  counter<Label extends string = never>(init: MetricOptions<Label>): Counter<Label>;
  /** @param init.merge How the values of several processes are merged. Default `sum`. */
  gauge<Label extends string = never>(
    init: MetricOptions<Label> & { readonly merge?: GaugeMerge | undefined },
  ): Gauge<Label>;
  /** @param init.buckets Upper bounds of the buckets, in ascending order. */
  histogram<Label extends string = never>(
    init: MetricOptions<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** Adds a function that is called before each `text` and `snapshot` to update metrics that are read on demand. */
  onScrape(update: () => void | Promise<void>): void;
  /** All metrics in the Prometheus text format, with the content type `metricsContentType`. */
  text(): Promise<string>;
  /** All metrics as plain data, which can be merged with that of other processes. */
  snapshot(): Promise<readonly MetricSnapshot[]>;
}

/** The content type of the Prometheus text format. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

export function createRegistry(): Registry {
  const metrics: Metric[] = [];
  const updates: (() => void | Promise<void>)[] = [];
  const add = <Added extends Metric>(metric: Added): Added => {
    metrics.push(metric);
    return metric;
  };
  async function snapshot(): Promise<readonly MetricSnapshot[]> {
    await Promise.all(updates.map(async (update) => update()));
    return metrics.map((metric) => metric.snapshot());
  }
  return {
    counter: (init) => add(new Counter(init)),
    gauge: (init) => add(new Gauge(init)),
    histogram: (init) => add(new Histogram(init)),
    onScrape: (update) => void updates.push(update),
    text: async () => renderSnapshots(await snapshot()),
    snapshot,
  };
}
