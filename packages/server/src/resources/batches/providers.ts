import type { BatchProvider } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { observedProvider } from './observed-provider.ts';

/** Endpoints whose lines can be submitted to upstreams. */
const chatEndpoints: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/completions', '/v1/responses']);

/** The batch APIs to which lines of a model are submitted, the first choice first. */
export function providersOf(
  { models, options }: Pick<ServerContext, 'models' | 'options'>,
  endpoint: string,
  model: unknown,
): readonly BatchProvider[] {
  const hasProviders = [...options.engines, ...options.embeddingEngines].some((engine) => engine.batchProviders);
  if (!hasProviders || typeof model !== 'string') return [];
  const registry =
    endpoint === '/v1/embeddings' ? models.embedding : chatEndpoints.has(endpoint) ? models.chat : undefined;
  const found = registry?.find(model);
  const providers = found?.engine.batchProviders?.(found.model.id) ?? [];
  return providers.map((provider) => observedProvider(provider, options.observer));
}
