import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start as startApp } from '@modelwire/server-app';
import type { Settings } from '@modelwire/server-app';
import { startWithSwitchableTelemetry } from '@modelwire/server-app/testing';
import { apiKey, model, reply } from '../payload.ts';
import { completionsAt } from './server.ts';
import type { Address, Start } from './server.ts';

/** The default settings of the app, except for a temporary data folder, required API keys and no log lines. */
function settingsOf(settings: Partial<Settings>): Settings {
  return {
    host: '127.0.0.1',
    port: 0,
    data: mkdtempSync(join(tmpdir(), 'modelwire-bench-')),
    drainMs: 0,
    logLevel: 'silent',
    configPath: undefined,
    apiKeys: [apiKey],
    ...settings,
  };
}

async function app(settings: Partial<Settings>): Promise<Address> {
  const { url } = await startApp(settingsOf(settings));
  return completionsAt(`${url}/v1`);
}

const canned = { models: [{ id: model, reply, chunks: 100 }] };

export const startEmbedded: Start = () => app({ simulator: canned });

/** The settings for each kind of telemetry. Metrics are enabled by default; environment variables enable traces. */
const telemetrySettings = {
  metrics: {},
  logging: { logLevel: 'info' },
  tracing: {},
} as const satisfies Record<string, Partial<Settings>>;
export type Telemetry = keyof typeof telemetrySettings;

export interface ServerWithTelemetry {
  readonly address: Address;
  /** Enables or disables the telemetry of requests. */
  readonly setTelemetryEnabled: (isEnabled: boolean) => void;
}

/**
 * Starts a server whose telemetry can be disabled and enabled. Without an upstream, it serves the simulator. With traces, 10 % of the requests
 * are sampled, and their spans are exported to a receiver in another process, which reads and discards them.
 */
export async function startWithTelemetry(
  telemetry: Telemetry,
  upstream: string | undefined,
  traceReceiver: string,
): Promise<ServerWithTelemetry> {
  if (telemetry === 'tracing') {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traceReceiver;
    process.env['OTEL_TRACES_SAMPLER'] = 'parentbased_traceidratio';
    process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.1';
    // Batches are exported when they are full, which is while telemetry is enabled, as in a server with constant load.
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '600000';
  }
  const engine = upstream === undefined ? { simulator: canned } : forwardingTo(upstream);
  const { server, setTelemetryEnabled } = await startWithSwitchableTelemetry(
    settingsOf({ ...engine, ...telemetrySettings[telemetry] }),
  );
  return { address: completionsAt(`${server.url}/v1`), setTelemetryEnabled };
}

/** With the model of the app without configuration, the simulator. */
export const startStoring: Start = () => app({});

export const startForwarding: Start = (upstream) => app(forwardingTo(upstream));

function forwardingTo(upstream: string): Partial<Settings> {
  return { simulator: false, upstreams: [{ baseURL: upstream, apiKey }], models: { [model]: {} } };
}

export const gatewaySize = { models: 50, upstreams: 20 } as const;

/** With many models, each of which is served by all upstreams. */
export const startManyUpstreams: Start = (upstream) => {
  const upstreams = Array.from({ length: gatewaySize.upstreams }, (_, index) => ({
    name: `upstream-${index}`,
    baseURL: upstream,
    apiKey,
  }));
  const names = upstreams.map(({ name }) => name);
  const models: Record<string, { readonly upstreams: string[] }> = {};
  for (let index = 0; index < gatewaySize.models; index++) models[`model-${index}`] = { upstreams: names };
  return app({ simulator: false, upstreams, models });
};
