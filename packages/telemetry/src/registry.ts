import { Counter } from './counter.ts';
import { Gauge } from './gauge.ts';
import { Histogram } from './histogram.ts';
import type { Metric, MetricInit } from './metric.ts';
import { renderSnapshots } from './metric-snapshot.ts';
import type { GaugeMerge, MetricSnapshot } from './metric-snapshot.ts';

/** The metrics of a process, in the text format of Prometheus. */
export interface Registry {
  counter<Label extends string = never>(init: MetricInit<Label>): Counter<Label>;
  /** @param init.merge How the values of several processes become one. Default `sum`. */
  gauge<Label extends string = never>(
    init: MetricInit<Label> & { readonly merge?: GaugeMerge | undefined },
  ): Gauge<Label>;
  /** @param init.buckets Upper bounds, in ascending order. */
  histogram<Label extends string = never>(
    init: MetricInit<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** Called before each `text` and `snapshot`: sets what is read when it is scraped. */
  onScrape(update: () => void | Promise<void>): void;
  text(): Promise<string>;
  /** The same as plain data, to be merged with that of other processes. */
  snapshot(): Promise<readonly MetricSnapshot[]>;
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

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
