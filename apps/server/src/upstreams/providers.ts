import { dirname } from 'node:path';
import type { AiSdkEmbeddingModelOptions, AiSdkModelOptions, AiSdkOptions } from '@modelwire/engine-ai-sdk';
import type { ChatEngine, EmbeddingEngine } from '@modelwire/ports';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

export interface ProviderEngines {
  readonly chat: readonly ChatEngine[];
  readonly embeddings: readonly EmbeddingEngine[];
}

/**
 * Creates one engine for the chat models of all configured providers, and one for their embedding models. Packages are looked up from the
 * folder of the configuration file.
 *
 * @throws ConfigError for a package that is missing or no provider.
 */
export async function createProviderEngines(
  { providers = [], configPath }: Pick<Settings, 'providers' | 'configPath'>,
  logger: Pick<Logger, 'warn'>,
): Promise<ProviderEngines> {
  if (providers.length === 0) return { chat: [], embeddings: [] };
  const { createAiSdk, createAiSdkEmbeddings, loadProvider, ProviderSetupError } =
    await import('@modelwire/engine-ai-sdk');
  const folder = configPath === undefined ? undefined : dirname(configPath);
  const models: AiSdkModelOptions[] = [];
  const embeddingModels: AiSdkEmbeddingModelOptions[] = [];
  for (const { models: chatEntries = [], embeddingModels: embeddingEntries = [], ...init } of providers) {
    const provider = await loadProvider({ ...init, folder }).catch((error: unknown) => {
      throw error instanceof ProviderSetupError ? new ConfigError(`providers: ${error.message}`) : error;
    });
    for (const entry of chatEntries) {
      const { model, ...options } = typeof entry === 'string' ? { model: entry } : entry;
      models.push({ ...options, model: provider.languageModel(model) });
    }
    for (const entry of embeddingEntries) {
      const { model, ...options } = typeof entry === 'string' ? { model: entry } : entry;
      embeddingModels.push({ ...options, model: provider.embeddingModel(model) });
    }
  }
  const common: Pick<AiSdkOptions, 'secrets' | 'onWarning'> = {
    secrets: providers.map(({ apiKey }) => apiKey),
    onWarning: (model, warning) => logger.warn({ model, warning }, 'a provider reported a warning'),
  };
  return {
    chat: models.length > 0 ? [createAiSdk({ models, ...common })] : [],
    embeddings: embeddingModels.length > 0 ? [createAiSdkEmbeddings({ models: embeddingModels, ...common })] : [],
  };
}
