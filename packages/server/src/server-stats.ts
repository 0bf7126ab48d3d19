import type { ServerContext } from './context.ts';
import type { EngineStats } from './options/types.ts';

/** The current load of a server. */
export interface ServerStats {
  /** Requests that have not ended, streams and requests for batch lines included. */
  readonly requestsInFlight: number;
  readonly engines: readonly EngineStats[];
}

export function serverStats({ inFlight, queues }: Pick<ServerContext, 'inFlight' | 'queues'>): ServerStats {
  return {
    requestsInFlight: inFlight.count(),
    engines: queues.all().map(([name, { active, waiting, concurrency }]) => ({ name, active, waiting, concurrency })),
  };
}
