import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsoleStatus, ServerStats } from '@modelwire/server';
import type { Settings } from '../config/settings.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { StorageProblems } from '../storage/storage-check.ts';
import type { UpstreamHealth } from '../upstreams/upstream-health.ts';

/**
 * Returns what the console shows of upstreams and storage.
 *
 * @param metrics Undefined if they are turned off: there are no hit rates then.
 * @param readStats Reads the statistics of all processes of the server. Default: there is only this process.
 */
export function consoleStatus(
  { data, database, s3 }: Pick<Settings, 'data' | 'database' | 's3'>,
  upstreams: Pick<UpstreamHealth, 'checks' | 'circuits'>,
  findProblems: () => Promise<StorageProblems>,
  metrics: Pick<Metrics, 'cacheHitRates'> | undefined,
  readStats?: () => Promise<ServerStats>,
): () => Promise<ConsoleStatus> {
  return async () => {
    const [problems, bytes, hitRates, stats] = await Promise.all([
      findProblems(),
      database === undefined ? sizeOf(join(data, 'modelwire.sqlite')) : null,
      metrics?.cacheHitRates(),
      readStats?.(),
    ]);
    const circuits = upstreams.circuits();
    return {
      ...(stats && {
        in_flight: stats.requestsInFlight,
        engines: stats.engines,
      }),
      upstreams: upstreams.checks().map(({ upstream, url, status, latencyMs, lastError }) => ({
        name: upstream,
        url,
        status,
        latency_ms: latencyMs === undefined ? null : Math.round(latencyMs),
        cache_hit_rate: hitRates?.get(upstream) ?? null,
        last_error: lastError ?? null,
        circuits: circuits
          .filter((circuit) => circuit.upstream === upstream)
          .map(({ model, state, retryAfterMs, lastFailure }) => ({
            model,
            state,
            retry_after_ms: retryAfterMs,
            last_failure: lastFailure ?? null,
          })),
      })),
      storage: [
        {
          name: 'database',
          kind: database === undefined ? 'SQLite' : 'PostgreSQL',
          problem: problems.database ?? null,
          bytes,
        },
        { name: 'files', kind: s3 ? 'S3' : 'file system', problem: problems.files ?? null, bytes: null },
      ],
    };
  };
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
