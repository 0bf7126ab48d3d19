import type { EngineStats, ServerStats } from '@modelwire/server';

/** Adds up the statistics of workers, which have the same engines and share the slots of each. */
export function sumStats(workers: readonly ServerStats[]): ServerStats {
  const engines: EngineStats[] = [];
  for (const stats of workers) {
    for (const [index, engine] of stats.engines.entries()) {
      const known = engines[index];
      engines[index] = known
        ? { ...known, active: known.active + engine.active, waiting: known.waiting + engine.waiting }
        : engine;
    }
  }
  return { requestsInFlight: workers.reduce((sum, { requestsInFlight }) => sum + requestsInFlight, 0), engines };
}
