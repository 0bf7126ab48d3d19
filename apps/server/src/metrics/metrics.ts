import { createMetricsObserver, createStorageMetrics, observeProcess } from '@modelwire/telemetry';
import type { Authenticator, Observer, StorageObserver } from '@modelwire/ports';
import type { Page } from '../start/pages.ts';
import { Registry } from 'prom-client';
import type { Settings } from '../config/settings.ts';
import { measureServer } from './server-gauges.ts';
import type { MeasuredServer } from './server-gauges.ts';
import { version } from '../start/version.ts';
import type { MetricValues } from '../workers/primary-metrics.ts';

/** The metrics of this process at `GET /metrics`. */
export interface Metrics {
  readonly observer: Observer;
  /** The observer of a storage, such as `sqlite`. */
  readonly storage: (name: string) => StorageObserver;
  /** The page of the metrics, those of the server's state included. */
  page(parts: MeasuredParts): Page;
  /** Cached tokens of prompts in parts of all of them, by upstream, since this process started. */
  cacheHitRates(): Promise<ReadonlyMap<string, number>>;
  /** The values of all metrics, for the process that adds up those of all. */
  values(): Promise<MetricValues>;
  stop(): void;
}

interface MeasuredParts extends MeasuredServer {
  readonly authenticator: Authenticator;
  /** IDs of all models that the server lists. */
  readonly models: () => readonly string[];
  /** Reads the metrics of all processes of the server in the text format. Default: there is only this process. */
  readonly readAll?: (() => Promise<string>) | undefined;
}

/** Creates the metrics; undefined if they are turned off. */
export function createMetrics({ metrics: setting = true }: Pick<Settings, 'metrics'>): Metrics | undefined {
  if (setting === false) return undefined;
  const { requireKey = false, projects = false } = setting === true ? {} : setting;
  const registry = new Registry();
  let models: () => readonly string[] = () => [];
  const stopProcess = observeProcess(registry, { version });
  return {
    observer: createMetricsObserver(registry, {
      includeProjectLabel: projects,
      isListedModel: (model) => models().includes(model),
    }),
    storage: createStorageMetrics(registry),
    page(parts) {
      const { authenticator, readAll = () => registry.metrics() } = parts;
      models = parts.models;
      measureServer(registry, parts);
      return async ({ authorization }) => {
        if (requireKey && !(await mayRead(authenticator, authorization))) {
          const body = 'Send a configured key, or one with the role admin, as Authorization: Bearer <key>.\n';
          return { status: 401, headers: { 'www-authenticate': 'Bearer' }, body };
        }
        const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' };
        return { status: 200, headers, body: await readAll() };
      };
    },
    async cacheHitRates() {
      const tokens = await registry.getSingleMetric('modelwire_upstream_prompt_tokens_total')?.get();
      const valueOf = (upstream: unknown, type: string): number =>
        tokens?.values.find(({ labels }) => labels['upstream'] === upstream && labels['type'] === type)?.value ?? 0;
      const upstreams = new Set(tokens?.values.map(({ labels }) => String(labels['upstream'])));
      return new Map([...upstreams].map((name) => [name, valueOf(name, 'cached') / Math.max(1, valueOf(name, 'all'))]));
    },
    values: () => registry.getMetricsAsJSON(),
    stop: stopProcess,
  };
}

/** Metrics tell of all projects: keys of the configuration, which have no role, and keys of administrators may read them. */
async function mayRead(authenticator: Authenticator, header = ''): Promise<boolean> {
  const [, key = ''] = /^bearer\s+(\S+)$/i.exec(header) ?? [];
  const principal = await authenticator.authenticate(key);
  return principal !== undefined && (principal.role === undefined || principal.role === 'admin');
}
