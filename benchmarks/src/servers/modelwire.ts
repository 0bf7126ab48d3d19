import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '@modelwire/server-app';
import { startWithSwitchableTelemetry } from '@modelwire/server-app/testing';
import { apiKey, model, reply } from './payload.ts';
import type { ServerInit, Start, StartedServer } from './server.ts';

/** The default settings of the app, except for a temporary data folder, required API keys and no log lines. */
async function app({ logLevel, traceReceiver }: ServerInit, engine: Partial<Settings>): Promise<StartedServer> {
  if (traceReceiver !== undefined) {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traceReceiver;
    process.env['OTEL_TRACES_SAMPLER'] = 'parentbased_traceidratio';
    process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.1';
    // Batches are exported when they are full, which is while telemetry is enabled, as in a server with constant load.
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '600000';
  }
  const { server, setTelemetryEnabled } = await startWithSwitchableTelemetry({
    host: '127.0.0.1',
    port: 0,
    data: mkdtempSync(join(tmpdir(), 'modelwire-bench-')),
    drainMs: 0,
    logLevel: logLevel ?? 'silent',
    configPath: undefined,
    apiKeys: [apiKey],
    ...engine,
  });
  return { base: `${server.url}/v1`, headers: { authorization: `Bearer ${apiKey}` }, setTelemetryEnabled };
}

export const startEmbedded: Start = (init) => app(init, { simulator: { models: [{ id: model, reply, chunks: 100 }] } });

export const startForwarding: Start = (init) =>
  app(init, { simulator: false, upstreams: [{ baseURL: init.upstream, apiKey }], models: { [model]: {} } });
