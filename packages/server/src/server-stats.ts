import type { ServerContext } from './context.ts';

/** The current load of a server. */
export interface ServerStats {
  /** Requests that have not ended, streams and requests for batch lines included. */
  readonly requestsInFlight: number;
  readonly engines: readonly EngineStats[];
}

/** The slots of an engine. */
export interface EngineStats {
  readonly engine: string;
  /** Requests that the engine works on. */
  readonly active: number;
  /** Requests that wait for a slot. */
  readonly queued: number;
  /** Maximum of `active`. */
  readonly concurrency: number;
}

export function serverStats({ inFlight, queues }: Pick<ServerContext, 'inFlight' | 'queues'>): ServerStats {
  return {
    requestsInFlight: inFlight.count(),
    engines: queues.all().map(([engine, { active, waiting, concurrency }]) => ({
      engine,
      active,
      queued: waiting,
      concurrency,
    })),
  };
}
