import { observeProcess } from '@modelwire/telemetry';
import { AggregatorRegistry, Registry } from 'prom-client';
import { version } from '../start/version.ts';

/** The values of all metrics of a process, which can be sent to another one. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The metrics of a server with several processes. */
export interface PrimaryMetrics {
  /** The sum of the primary, the workers, and the counters of workers that have exited, as they were last read. */
  read(workers: readonly WorkerMetrics[]): Promise<string>;
  /** The worker has exited. */
  remove(id: number): void;
  stop(): void;
}

export interface WorkerMetrics {
  readonly id: number;
  /** Rejects for a worker that does not respond. */
  readonly read: () => Promise<MetricValues>;
}

export function createPrimaryMetrics(): PrimaryMetrics {
  const registry = new Registry();
  const stop = observeProcess(registry, { version });
  /** The last values of workers that run. */
  const lastValues = new Map<number, MetricValues>();
  // Counters must not fall when a worker exits: Prometheus would take the rest for a new count.
  let exited: Promise<MetricValues> = Promise.resolve([]);
  return {
    async read(workers) {
      await Promise.all(
        workers.map(async ({ id, read }) => {
          const values = await read().catch(() => undefined);
          if (values) lastValues.set(id, values);
        }),
      );
      const running = workers.map(({ id }) => lastValues.get(id) ?? []);
      return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...running, await exited]).metrics();
    },
    remove(id) {
      const last = lastValues.get(id);
      lastValues.delete(id);
      if (last) exited = addCumulative(exited, last);
    },
    stop,
  };
}

/** Adds counters and histograms, which remain valid after their process has exited. */
async function addCumulative(before: Promise<MetricValues>, values: MetricValues): Promise<MetricValues> {
  const cumulative = values.filter(({ type }) => String(type) !== 'gauge');
  return AggregatorRegistry.aggregate([await before, cumulative]).getMetricsAsJSON();
}
