import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start as startApp, tuneV8 } from '@modelwire/server-app';
import type { Settings } from '@modelwire/server-app';
import { startSwitchable } from '@modelwire/server-app/testing';
import { apiKey, model, reply } from '../payload.ts';
import { completionsAt } from './server.ts';
import type { Address, Start } from './server.ts';

/** Settings of Modelwire as `npm start` runs it, with API keys required. */
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

/** Modelwire as `npm start` runs it: with the same heap settings. */
async function app(settings: Partial<Settings>): Promise<Address> {
  tuneV8();
  const { url } = await startApp(settingsOf(settings));
  return completionsAt(`${url}/v1`);
}

const canned = { models: [{ id: model, reply, chunks: 100 }] };

export const startEmbedded: Start = () => app({ simulator: canned });

/** What a server records of each request. */
const telemetry = {
  metrics: {},
  logging: { logLevel: 'info' },
  tracing: {},
} as const satisfies Record<string, Partial<Settings>>;
export type Telemetry = keyof typeof telemetry;

export interface SwitchableAddress {
  readonly address: Address;
  /** Turns the telemetry off and on. */
  readonly setObserved: (isObserved: boolean) => void;
}

/**
 * Starts a server whose telemetry can be turned off and on. It forwards to the upstream or, without one, is embedded. For traces, 10 % of the
 * requests are sampled, and exported to a receiver in another process, which reads and discards them.
 */
export async function startObserved(
  kind: Telemetry,
  upstream: string | undefined,
  traceReceiver: string,
): Promise<SwitchableAddress> {
  tuneV8();
  if (kind === 'tracing') {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traceReceiver;
    process.env['OTEL_TRACES_SAMPLER'] = 'parentbased_traceidratio';
    process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.1';
  }
  const engine = upstream === undefined ? { simulator: canned } : forwardingTo(upstream);
  const { server, setObserved } = await startSwitchable(settingsOf({ ...engine, ...telemetry[kind] }));
  return { address: completionsAt(`${server.url}/v1`), setObserved };
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
