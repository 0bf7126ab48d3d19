import { routeEngines } from '@modelwire/adapter-kit/routing';
import type { RoutingOptions } from '@modelwire/adapter-kit/routing';
import type { ModelCatalog, UpstreamServer } from '@modelwire/engine-upstream';
import type { ChatEngine } from '@modelwire/ports';
import type { ModelNames } from '../upstreams/model-names.ts';

interface SharedModelsInit {
  /** The engine in front of all upstreams, if there are any. */
  readonly upstream: { readonly engine: ChatEngine; readonly catalog: ModelCatalog } | undefined;
  readonly servers: readonly (Pick<UpstreamServer, 'weight'> & { readonly name: string })[];
  readonly gguf: readonly ChatEngine[];
  readonly models: ModelNames['upstreamModels'];
  readonly routing: RoutingOptions;
}

/** An engine for the models that several GGUF files, or a GGUF file and upstreams, serve. Undefined if there cannot be any. */
export function shareModels({ upstream, servers, gguf, models, routing }: SharedModelsInit): ChatEngine | undefined {
  const weights = new Map(servers.map(({ name, weight = 1 }) => [name, weight]));
  const engines = gguf.map((engine, index) => ({ name: `gguf-${index + 1}`, engine }));
  if (engines.length + (upstream ? 1 : 0) < 2) return undefined;
  const weightOf = (model: string): number =>
    upstream?.catalog.find(model).reduce((sum, entry) => sum + (weights.get(entry.upstream) ?? 0), 0) ?? 0;
  const ofUpstreams = upstream && { name: 'upstreams', engine: upstream.engine, weightOf };
  return routeEngines([...(ofUpstreams ? [ofUpstreams] : []), ...engines], {
    ...routing,
    policyOf: (model) => models?.[model]?.routing,
  });
}
