import { createLlamaEmbedding, LlamaSetupError } from '@modelwire/engine-llama';
import { createSimulatorEmbedding } from '@modelwire/engine-simulator';
import type { ChatEngine, EmbeddingEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Discovery } from './discovery.ts';
import type { Settings } from './settings.ts';
import { simulatorSetting } from './simulator-setting.ts';

/** Creates the configured embedding engines. Where ids collide the first engine wins: GGUF models, upstreams, providers, simulator. */
export async function createEmbeddingEngines(
  settings: Settings,
  chat: readonly ChatEngine[],
  providers: readonly EmbeddingEngine[] = [],
): Promise<readonly EmbeddingEngine[]> {
  const gguf = await createGgufEngines(settings.embeddings?.gguf ?? []);
  return [
    ...gguf,
    ...chat.flatMap(embeddingEngineOf),
    ...providers,
    ...(simulatorSetting(settings) === false ? [] : [createSimulatorEmbedding()]),
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

/** The embeddings of a chat engine: those of upstreams whose models are discovered are an engine of their own, others have both. */
function embeddingEngineOf(engine: ChatEngine & Partial<Pick<Discovery, 'embeddings'>>): readonly EmbeddingEngine[] {
  if (engine.embeddings) return [engine.embeddings];
  return isEmbeddingEngine(engine) ? [engine] : [];
}

/** Whether a chat engine also makes embeddings. */
function isEmbeddingEngine(engine: ChatEngine): engine is ChatEngine & EmbeddingEngine {
  return 'embed' in engine;
}
