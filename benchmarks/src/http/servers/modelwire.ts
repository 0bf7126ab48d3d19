import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start as startApp, tuneV8 } from '@modelwire/server-app';
import type { Settings } from '@modelwire/server-app';
import { apiKey, model, reply } from '../payload.ts';
import { completionsAt } from './server.ts';
import type { Address, Start } from './server.ts';

/** Modelwire as `npm start` runs it: the same heap settings, the app with default settings, API keys required. */
async function app(settings: Partial<Settings>): Promise<Address> {
  tuneV8();
  const { url } = await startApp({
    host: '127.0.0.1',
    port: 0,
    data: mkdtempSync(join(tmpdir(), 'modelwire-bench-')),
    drainMs: 0,
    logLevel: 'silent',
    configPath: undefined,
    apiKeys: [apiKey],
    ...settings,
  });
  return completionsAt(`${url}/v1`);
}

const canned = { models: [{ id: model, reply, chunks: 100 }] };

export const startEmbedded: Start = () => app({ simulator: canned });

/** The same without metrics. */
export const startUnmeasured: Start = () => app({ simulator: canned, metrics: false });

/** The same with a log line for each request, as is the default of the app. */
export const startLogging: Start = () => app({ simulator: canned, logLevel: 'info' });

/**
 * The same as `startEmbedded`, with traces: 10 % of the requests are sampled, and exported to a receiver in another process, which reads
 * and discards them.
 */
export const startTracing: Start = (_, traceReceiver) => {
  enableTraces(traceReceiver);
  return app({ simulator: canned });
};

function enableTraces(traceReceiver: string): void {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traceReceiver;
  process.env['OTEL_TRACES_SAMPLER'] = 'parentbased_traceidratio';
  process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.1';
}

/** What a server records, from nothing to metrics with log lines or traces. */
export const telemetryVariants = ['none', 'noneAgain', 'metrics', 'logging', 'tracing'] as const;
export type TelemetryVariant = (typeof telemetryVariants)[number];

/** Starts a server for each variant in this process, which forward to the upstream or, without one, are embedded. */
export async function startTelemetryVariants(
  upstream: string | undefined,
  traceReceiver: string,
): Promise<Record<TelemetryVariant, Address>> {
  const settings = upstream === undefined ? { simulator: canned } : forwardingTo(upstream);
  const none = await app({ ...settings, metrics: false });
  const noneAgain = await app({ ...settings, metrics: false });
  const metrics = await app(settings);
  const logging = await app({ ...settings, logLevel: 'info' });
  enableTraces(traceReceiver);
  return { none, noneAgain, metrics, logging, tracing: await app(settings) };
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
