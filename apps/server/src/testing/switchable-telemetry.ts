import type { ServerOptions } from '@modelwire/server';
import { startInProcess } from '../start/start.ts';
import type { RunningServer } from '../start/start.ts';
import type { Settings } from '../config/settings.ts';

export interface ServerWithSwitchableTelemetry {
  readonly server: RunningServer;
  /**
   * Enables or disables the metrics and traces of requests that start after the call, and the log lines of requests that end after it. Metrics of
   * storage and of the process stay enabled.
   */
  setTelemetryEnabled(isEnabled: boolean): void;
}

/** Starts a server whose telemetry can be disabled and enabled while it runs, to measure its cost. It is enabled at first. */
export async function startWithSwitchableTelemetry(settings: Settings): Promise<ServerWithSwitchableTelemetry> {
  let isTelemetryEnabled = true;
  const modifyServerOptions = ({ observer, log, ...options }: ServerOptions): ServerOptions => ({
    ...options,
    ...(observer && {
      observer: {
        ...observer,
        startRequest: (request) => (isTelemetryEnabled ? observer.startRequest(request) : undefined),
      },
    }),
    ...(log && {
      log(entry) {
        if (isTelemetryEnabled) log(entry);
      },
    }),
  });
  const server = await startInProcess(settings, { modifyServerOptions });
  return {
    server,
    setTelemetryEnabled(isEnabled) {
      isTelemetryEnabled = isEnabled;
    },
  };
}
