import { createSimulatorEmbedding } from '@modelwire/engine-simulator';
import type { ChatEngine, EmbeddingEngine } from '@modelwire/ports';
import type { Logger } from 'pino';
import type { Discovery } from '../upstreams/discovery.ts';
import { createGgufEmbeddingEngines } from './gguf-engines.ts';
import type { Settings } from '../config/settings.ts';
import { simulatorSetting } from '../config/simulator-setting.ts';

/** Creates the configured embedding engines. Where IDs collide the first engine wins: GGUF models, upstreams, providers, simulator. */
export async function createEmbeddingEngines(
  settings: Settings,
  logger: Pick<Logger, 'info' | 'warn'>,
  chat: readonly ChatEngine[],
  providers: readonly EmbeddingEngine[] = [],
): Promise<readonly EmbeddingEngine[]> {
  const gguf = await createGgufEmbeddingEngines(settings.embeddings?.gguf, logger);
  return [
    ...gguf,
    ...chat.flatMap(embeddingEngineOf),
    ...providers,
    ...(simulatorSetting(settings) === false ? [] : [createSimulatorEmbedding()]),
  ];
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
