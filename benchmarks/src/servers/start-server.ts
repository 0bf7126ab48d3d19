import { spawnChild } from '../child.ts';
import type { Address, HostQuestion, ServerName, Used } from './host.ts';
import type { ServerInit } from './server.ts';

/** A server in a process of its own. */
export interface ServerProcess extends Address {
  used(): Promise<Used>;
  setTelemetryEnabled(isEnabled: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startServer(start: ServerName, init: Partial<ServerInit> = {}): Promise<ServerProcess> {
  // Standard error is discarded where it has the log lines.
  const child = spawnChild(new URL('./host.ts', import.meta.url), [start], { quiet: init.logLevel !== undefined });
  const ask = <Answer>(question: HostQuestion) => child.ask<Answer>(question);
  try {
    return {
      ...(await ask<Address>({ start, upstream: '', ...init })),
      used: () => ask<Used>({ used: true }),
      setTelemetryEnabled: (isTelemetryEnabled) => ask({ isTelemetryEnabled }),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
