import { dirname } from 'node:path';
import { createAiSdk, loadProvider } from '@modelwire/engine-ai-sdk';
import type { AiSdkModelOptions } from '@modelwire/engine-ai-sdk';
import type { ChatEngine } from '@modelwire/server';
import type { Logger } from 'pino';
import type { Settings } from './settings.ts';

/**
 * Creates one engine for the chat models of all configured providers. Packages are looked up from the folder of the configuration file.
 *
 * @throws ProviderSetupError for a package that is missing or no provider.
 */
export async function createProviderEngine(
  providers: NonNullable<Settings['providers']>,
  configPath: string | undefined,
  logger: Pick<Logger, 'warn'>,
): Promise<ChatEngine> {
  const folder = configPath === undefined ? undefined : dirname(configPath);
  const models: AiSdkModelOptions[] = [];
  for (const { models: entries, ...init } of providers) {
    const provider = await loadProvider({ ...init, folder });
    for (const entry of entries) {
      const { model, ...options } = typeof entry === 'string' ? { model: entry } : entry;
      models.push({ id: model, ...options, model: provider.languageModel(model) });
    }
  }
  return createAiSdk({
    models,
    secrets: providers.map(({ apiKey }) => apiKey),
    onWarning: (model, warning) => logger.warn({ model, warning }, 'a provider reported a warning'),
  });
}
