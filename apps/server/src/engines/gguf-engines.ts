import type { ChatEngine, EmbeddingEngine, ListedModel } from '@modelwire/ports';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

type GgufLogger = Pick<Logger, 'info' | 'warn'>;

// `@modelwire/engine-llama` is loaded only if models are configured.

/** Creates an engine for each GGUF model of the setting `gguf`. */
export async function createGgufChatEngines(
  gguf: Settings['gguf'] = [],
  logger: GgufLogger,
): Promise<readonly ChatEngine[]> {
  if (gguf.length === 0) return [];
  const { createLlama, LlamaSetupError } = await import('@modelwire/engine-llama');
  return createEach(gguf, createLlama, 'gguf', { SetupError: LlamaSetupError, logger });
}

/** Creates an engine for each GGUF model of the setting `embeddings.gguf`. */
export async function createGgufEmbeddingEngines(
  gguf: NonNullable<Settings['embeddings']>['gguf'] = [],
  logger: GgufLogger,
): Promise<readonly EmbeddingEngine[]> {
  if (gguf.length === 0) return [];
  const { createLlamaEmbedding, LlamaSetupError } = await import('@modelwire/engine-llama');
  return createEach(gguf, createLlamaEmbedding, 'embeddings.gguf', { SetupError: LlamaSetupError, logger });
}

interface GgufEngine {
  readonly warning: string | undefined;
  models(): readonly ListedModel[];
  close(): Promise<void>;
}

/** Creates one engine after the other. If one fails, those before it are closed. */
async function createEach<Entry extends object, Engine extends GgufEngine>(
  entries: string | readonly Entry[],
  create: (entry: Entry | { path: string }) => Promise<Engine>,
  setting: string,
  { SetupError, logger }: { readonly SetupError: new (...args: never[]) => Error; readonly logger: GgufLogger },
): Promise<readonly Engine[]> {
  const engines: Engine[] = [];
  try {
    for (const entry of typeof entries === 'string' ? [{ path: entries }] : entries) {
      const engine = await create(entry);
      engines.push(engine);
      for (const { id, runtime } of engine.models()) logger.info({ model: id, ...runtime }, 'loaded a GGUF model');
      if (engine.warning !== undefined) logger.warn({ model: engine.models()[0]?.id }, `${setting}: ${engine.warning}`);
    }
    return engines;
  } catch (error) {
    for (const engine of engines) await engine.close();
    throw error instanceof SetupError ? new ConfigError(`${setting}: ${error.message}`, { cause: error }) : error;
  }
}
