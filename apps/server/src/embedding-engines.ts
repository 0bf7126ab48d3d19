import { createLlamaEmbedding, LlamaSetupError } from '@modelwire/engine-llama';
import { createSimulatorEmbedding } from '@modelwire/engine-simulator';
import type { ChatEngine, EmbeddingEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Creates the configured embedding engines. Where ids collide the first engine wins: GGUF models, upstreams, providers, simulator. */
export async function createEmbeddingEngines(
  { embeddings, simulator = true }: Settings,
  chat: readonly ChatEngine[],
  providers: readonly EmbeddingEngine[] = [],
): Promise<readonly EmbeddingEngine[]> {
  const gguf = await createGgufEngines(embeddings?.gguf ?? []);
  return [
    ...gguf,
    ...chat.filter(isEmbeddingEngine),
    ...providers,
    ...(simulator === false ? [] : [createSimulatorEmbedding()]),
  ];
}

async function createGgufEngines(
  gguf: NonNullable<Settings['embeddings']>['gguf'],
): Promise<readonly EmbeddingEngine[]> {
  const engines: EmbeddingEngine[] = [];
  try {
    for (const entry of typeof gguf === 'string' ? [{ path: gguf }] : gguf)
      engines.push(await createLlamaEmbedding(entry));
    return engines;
  } catch (error) {
    for (const engine of engines) await engine.close?.();
    throw error instanceof LlamaSetupError ? new ConfigError(`embeddings.gguf: ${error.message}`) : error;
  }
}

/** Whether a chat engine also makes embeddings. */
function isEmbeddingEngine(engine: ChatEngine): engine is ChatEngine & EmbeddingEngine {
  return 'embed' in engine;
}
