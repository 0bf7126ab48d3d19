import { createSimulator } from '@modelwire/engine-simulator';
import { createCircuitBreakers, createUpstream } from '@modelwire/engine-upstream';
import type { Circuit, CircuitBreakers, UpstreamOptions } from '@modelwire/engine-upstream';
import type { ChatEngine, EmbeddingEngine, PassThrough } from '@modelwire/ports';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.ts';
import { createGgufChatEngines } from './gguf-engines.ts';
import { shareModels } from './shared-models.ts';
import { discover } from '../upstreams/discovery.ts';
import type { DiscoveredUpstream } from '../upstreams/discovery.ts';
import { configuredCatalog, createPassThrough } from '../upstreams/pass-through.ts';
import { createFinishReasonLog } from '../log/finish-reason-log.ts';
import { createUpstreamHealth } from '../upstreams/upstream-health.ts';
import type { UpstreamHealth } from '../upstreams/upstream-health.ts';
import { createUpstreamStatuses } from '../upstreams/upstream-status.ts';
import { closingWith, watchUpstreams } from '../upstreams/watch-upstreams.ts';
import { splitModels } from '../upstreams/model-names.ts';
import type { ModelNames } from '../upstreams/model-names.ts';
import { createProviderEngines } from '../upstreams/providers.ts';
import type { Settings } from '../config/settings.ts';
import { simulatorSetting } from '../config/simulator-setting.ts';
import { createRoutingLog } from '../log/routing-log.ts';
import { createSkippedModelsLog } from '../log/skipped-models-log.ts';

export interface ChatEngines {
  readonly engines: readonly ChatEngine[];
  /** Engines of providers that make embeddings only. */
  readonly embeddingEngines: readonly EmbeddingEngine[];
  /** Whether jobs can run: an upstream has returned its models, or none has to. */
  readonly ready: () => boolean;
  /** Resolves when the embedded model is loaded: otherwise its first request would block all others for 0.4 s. */
  readonly loaded: Promise<void>;
  /** Forwards requests to paths that this server does not serve; undefined if there are no upstreams or it is turned off. */
  readonly passThrough: PassThrough | undefined;
  readonly upstreams: UpstreamHealth;
  /** Shared by everything that sends requests to upstreams. */
  readonly circuitBreakers: CircuitBreakers;
}

/** Creates the configured chat engines. `onCircuitChange` is called when a circuit breaker changes its state. Upstreams and GGUF models with the same ID share its requests. Elsewhere, the first engine wins: upstreams, providers, GGUF models, simulator. */
export async function createChatEngines(
  settings: Settings,
  logger: Pick<Logger, 'debug' | 'info' | 'warn'>,
  onCircuitChange?: (circuit: Circuit) => void,
): Promise<ChatEngines> {
  const simulator = simulatorSetting(settings);
  const models = splitModels(settings).upstreamModels;
  const servers = settings.upstreams?.map((upstream, index) => ({
    ...upstream,
    name: upstream.name ?? `upstream-${index + 1}`,
  }));
  const upstreams = servers?.map(({ paths, ...upstream }) => upstream);
  const urls = new Map(upstreams?.map(({ name, baseURL }) => [name, baseURL]));
  const circuitBreakers = createCircuitBreakers({
    ...settings.circuitBreaker,
    onStateChange(circuit) {
      onCircuitChange?.(circuit);
      const { upstream, model, state, lastFailure, retryAfterMs } = circuit;
      const fields = { upstream, url: urls.get(upstream), model, state };
      if (state === 'open')
        logger.warn({ ...fields, cause: lastFailure, retryAfterMs }, 'the circuit breaker of an upstream opened');
      else logger.info(fields, 'the circuit breaker of an upstream changed its state');
    },
  });
  const routing = { ...settings.routing, ...createRoutingLog(logger) };
  const upstreamOptions = {
    circuitBreaker: circuitBreakers,
    onUnknownFinishReason: createFinishReasonLog(logger),
    routing,
  };
  let upstream: Parameters<typeof shareModels>[0]['upstream'];
  let passThrough: PassThrough | undefined;
  const engines: ChatEngine[] = [];
  let embeddingEngines: readonly EmbeddingEngine[] = [];
  const statuses = createUpstreamStatuses(upstreams ?? [], logger);
  let refresh = (): Promise<void> => Promise.resolve();
  let ready = () => true;
  let loaded = Promise.resolve();
  try {
    if (servers && upstreams && models) {
      const catalog = configuredCatalog(models, servers);
      passThrough = createPassThrough(settings, servers, { catalog, circuitBreakers });
      const configured = createConfiguredUpstream(upstreams, models, upstreamOptions);
      const watch = await watchUpstreams(upstreams, statuses);
      refresh = watch.refresh;
      const engine = closingWith(configured, watch.stop);
      engines.push(engine);
      upstream = { engine, catalog };
    } else if (upstreams) {
      const discovery = await discover({
        upstreams,
        ...upstreamOptions,
        statuses,
        onSkipped: createSkippedModelsLog(logger),
        onPreset: (upstream, preset) => logger.info({ upstream, preset }, 'recognised the kind of an upstream'),
      });
      engines.push(discovery);
      upstream = { engine: discovery, catalog: discovery.catalog };
      ready = () => discovery.ready;
      passThrough = servers && createPassThrough(settings, servers, { catalog: discovery.catalog, circuitBreakers });
      refresh = discovery.refresh;
    } else if (models) throw new ConfigError('models: no upstreams are configured to serve them');
    const providers = await createProviderEngines(settings, logger);
    engines.push(...providers.chat);
    embeddingEngines = providers.embeddings;
    const gguf = await createGgufChatEngines(settings.gguf, logger);
    engines.push(...gguf);
    const shared = shareModels({ upstream, servers: servers ?? [], gguf, models, routing });
    if (shared) engines.unshift(shared);
    if (simulator !== false) {
      const embedded = createSimulator(simulator === true ? {} : simulator);
      engines.push(embedded);
      loaded = embedded.ready();
      // Reported to the caller, which waits for it later.
      loaded.catch(() => undefined);
    }
  } catch (error) {
    // Engines throw TypeError for invalid options: these messages are addressed to the operator.
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
  if (engines.length === 0 && embeddingEngines.length === 0 && settings.embeddings === undefined)
    throw new ConfigError('No models to serve: simulator is false, and none of upstreams, providers and gguf is set.');
  const canServeWithout = settings.gguf !== undefined || settings.providers !== undefined;
  const upstreamHealth = createUpstreamHealth({ statuses, circuitBreakers, refresh, canServeWithout });
  return { engines, embeddingEngines, ready, loaded, upstreams: upstreamHealth, passThrough, circuitBreakers };
}

/** Creates an engine for the models listed in the configuration. A model without capabilities inherits those of its first upstream. */
function createConfiguredUpstream(
  upstreams: readonly DiscoveredUpstream[],
  models: NonNullable<ModelNames['upstreamModels']>,
  options: Pick<UpstreamOptions, 'circuitBreaker' | 'onUnknownFinishReason' | 'routing'>,
): ChatEngine {
  const withCapabilities = Object.entries(models).map(([id, model]) => {
    const first = model.upstreams?.[0] ?? upstreams.find(({ name }) => !model.fallback?.includes(name))?.name;
    const capabilities = model.capabilities ?? upstreams.find(({ name }) => name === first)?.capabilities;
    return [id, { ...model, ...(capabilities && { capabilities }) }] as const;
  });
  return createUpstream({
    upstreams: upstreams.map(({ capabilities, ...server }) => server),
    models: Object.fromEntries(withCapabilities),
    ...options,
  });
}
