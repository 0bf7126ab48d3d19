import { createSimulatorEmbedding } from '@modelwire/engine-simulator';
import type { ChatEngine, EmbeddingEngine } from '@modelwire/server';
import type { Settings } from './settings.ts';

/** Creates the configured embedding engines: upstreams that also serve chat, then the simulator's. */
export function createEmbeddingEngines(
  { simulator = true }: Settings,
  chat: readonly ChatEngine[],
): readonly EmbeddingEngine[] {
  return [...chat.filter(isEmbeddingEngine), ...(simulator === false ? [] : [createSimulatorEmbedding()])];
}

/** Whether a chat engine also makes embeddings. */
function isEmbeddingEngine(engine: ChatEngine): engine is ChatEngine & EmbeddingEngine {
  return 'embed' in engine;
}
