import type { ServerOptions } from '@modelwire/server';
import { startInProcess } from '../start.ts';
import type { RunningServer } from '../start.ts';
import type { Settings } from '../settings.ts';

export interface SwitchableServer {
  readonly server: RunningServer;
  /** Turns the metrics, traces and log lines of the requests that start, or end, from now on off or on. */
  setObserved(isObserved: boolean): void;
}

/** Starts a server whose telemetry can be turned off and on while it runs, to measure its cost. It starts with telemetry on. */
export async function startSwitchable(settings: Settings): Promise<SwitchableServer> {
  let isObserved = true;
  const modifyServerOptions = ({ observer, log, ...options }: ServerOptions): ServerOptions => ({
    ...options,
    ...(observer && {
      observer: { ...observer, startRequest: (request) => (isObserved ? observer.startRequest(request) : undefined) },
    }),
    ...(log && {
      log(entry, endedAt) {
        if (isObserved) log(entry, endedAt);
      },
    }),
  });
  const server = await startInProcess(settings, { modifyServerOptions });
  return {
    server,
    setObserved(observed) {
      isObserved = observed;
    },
  };
}
