import { createUpstreamPassThrough } from '@modelwire/engine-upstream';
import type { CircuitBreakers, ModelCatalog, PassThroughServer } from '@modelwire/engine-upstream';
import type { PassThrough } from '@modelwire/ports';
import type { DiscoveredUpstream } from './discovery.ts';
import type { UpstreamModelEntry } from './model-names.ts';
import type { Settings } from '../config/settings.ts';

/**
 * Creates the handler that forwards requests to paths that this server does not serve; undefined if it is turned off. By default it is off with
 * `moderate`: forwarded requests are not moderated.
 */
export function createPassThrough(
  { passThrough: configured, moderate }: Pick<Settings, 'passThrough' | 'moderate'>,
  upstreams: readonly (DiscoveredUpstream & Pick<PassThroughServer, 'paths'>)[],
  { catalog, circuitBreakers }: { readonly catalog: ModelCatalog; readonly circuitBreakers: CircuitBreakers },
): PassThrough | undefined {
  if (!(configured ?? moderate === undefined)) return undefined;
  return createUpstreamPassThrough({
    upstreams: upstreams.map(({ capabilities, ...server }) => server),
    ...(typeof configured === 'object' && { paths: configured }),
    catalog,
    circuitBreaker: circuitBreakers,
  });
}

/** The models that are listed in the configuration. */
export function configuredCatalog(
  models: Readonly<Record<string, UpstreamModelEntry>>,
  upstreams: readonly { readonly name: string }[],
): ModelCatalog {
  const names = upstreams.map(({ name }) => name);
  const entries = new Map(
    Object.entries(models).map(([id, { upstreams: configuredUpstreams, fallback = [], upstreamModel }]) => {
      const nameAt = (upstream: string): string =>
        (typeof upstreamModel === 'string' ? upstreamModel : upstreamModel?.[upstream]) ?? id;
      const shared = configuredUpstreams ?? names.filter((name) => !fallback.includes(name));
      return [id, shared.map((upstream) => ({ upstream, model: nameAt(upstream) }))] as const;
    }),
  );
  return {
    find: (model) => entries.get(model) ?? [],
    hasRenamedModels: [...entries].some(([id, configuredUpstreams]) =>
      configuredUpstreams.some(({ model }) => model !== id),
    ),
    otherModels: () => [],
  };
}
