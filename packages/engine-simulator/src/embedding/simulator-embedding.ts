import { createPause } from '@modelwire/adapter-kit';
import type { EmbeddingEngine, EmbeddingModel } from '@modelwire/ports';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import { bagOfWords } from './bag-of-words.ts';

const defaultSize = 256;
const maxSize = 4096;

const model: EmbeddingModel = Object.freeze({
  id: 'simulator-embedding',
  created: 1_767_225_600,
  owned_by: 'modelwire',
  // Any length is computed at its own size, up to the maximum.
  size: maxSize,
  dimensions: 'native',
  tokens: 'native',
});

/**
 * Embeddings for tests, without a language model: deterministic vectors of hashed words, of 256 numbers or as many as `dimensions` says, up
 * to 4,096. They compare words, not meaning: do not use them for real searches. Each token ID counts as a word.
 */
export function createSimulatorEmbedding(): EmbeddingEngine {
  const models = [model];
  return {
    name: 'simulator-embedding',
    models: () => models,
    async embed({ inputs, dimensions = defaultSize }, { signal }) {
      const tokenizer = await loadTokenizer();
      const pause = createPause(signal);
      const embeddings: Float32Array[] = [];
      let promptTokens = 0;
      for (const input of inputs) {
        signal.throwIfAborted();
        embeddings.push(await bagOfWords(input, dimensions, pause));
        for (const part of typeof input === 'string' ? tokenizer.parts(input) : [input]) {
          promptTokens += part.length;
          await pause();
        }
      }
      return { embeddings, promptTokens };
    },
  };
}
