import type { ChatEngine, EmbeddingEngine } from '@modelwire/ports';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

// `@modelwire/engine-llama` is loaded only if models are configured.

/** Creates an engine for each GGUF model of the setting `gguf`. */
export async function createGgufChatEngines(gguf: Settings['gguf'] = []): Promise<readonly ChatEngine[]> {
  if (gguf.length === 0) return [];
  const { createLlama, LlamaSetupError } = await import('@modelwire/engine-llama');
  return createEach(gguf, createLlama, 'gguf', LlamaSetupError);
}

/** Creates an engine for each GGUF model of the setting `embeddings.gguf`. */
export async function createGgufEmbeddingEngines(
  gguf: NonNullable<Settings['embeddings']>['gguf'] = [],
): Promise<readonly EmbeddingEngine[]> {
  if (gguf.length === 0) return [];
  const { createLlamaEmbedding, LlamaSetupError } = await import('@modelwire/engine-llama');
  return createEach(gguf, createLlamaEmbedding, 'embeddings.gguf', LlamaSetupError);
}

/** Creates one engine after the other. If one fails, those before it are closed. */
async function createEach<Entry extends object, Engine extends { close?(): Promise<void> | void }>(
  entries: string | readonly Entry[],
  create: (entry: Entry | { path: string }) => Promise<Engine>,
  setting: string,
  SetupError: new (...args: never[]) => Error,
): Promise<readonly Engine[]> {
  const engines: Engine[] = [];
  try {
    for (const entry of typeof entries === 'string' ? [{ path: entries }] : entries) engines.push(await create(entry));
    return engines;
  } catch (error) {
    for (const engine of engines) await engine.close?.();
    throw error instanceof SetupError ? new ConfigError(`${setting}: ${error.message}`) : error;
  }
}
