import {
  createRegistry,
  filterCumulative,
  mergeSnapshots,
  observeProcess,
  renderSnapshots,
} from '@modelwire/telemetry';
import type { MetricSnapshot } from '@modelwire/telemetry';
import { version } from '../version.ts';

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
  readonly read: () => Promise<readonly MetricSnapshot[]>;
}

export function createPrimaryMetrics(): PrimaryMetrics {
  const registry = createRegistry();
  const stop = observeProcess(registry, { version });
  /** The last snapshots of workers that run. */
  const lastSnapshots = new Map<number, readonly MetricSnapshot[]>();
  // Counters must not fall when a worker exits: Prometheus would take the rest for a new count.
  let exited: readonly MetricSnapshot[] = [];
  return {
    async read(workers) {
      const ownSnapshot = await registry.snapshot();
      await Promise.all(
        workers.map(async ({ id, read }) => {
          const snapshot = await read().catch(() => undefined);
          if (snapshot) lastSnapshots.set(id, snapshot);
        }),
      );
      const running = workers.map(({ id }) => lastSnapshots.get(id) ?? []);
      return renderSnapshots(mergeSnapshots([ownSnapshot, ...running, exited]));
    },
    remove(id) {
      exited = mergeSnapshots([exited, filterCumulative(lastSnapshots.get(id) ?? [])]);
      lastSnapshots.delete(id);
    },
    stop,
  };
}
