import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddingEngine, EmbeddingInput, EmbeddingModel } from '@modelwire/ports';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { bagOfWords } from './bag-of-words.ts';

const defaultSize = 256;
const maxSize = 4096;
/** Parts of up to 256 characters that are counted in one turn of the event loop. */
const partsPerTurn = 50;

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
      const embeddings: Float32Array[] = [];
      let promptTokens = 0;
      for (const input of inputs) {
        signal.throwIfAborted();
        embeddings.push(await bagOfWords(input, dimensions, signal));
        promptTokens += await countTokens(input, tokenizer, signal);
      }
      return { embeddings, promptTokens };
    },
  };
}

async function countTokens(input: EmbeddingInput, tokenizer: Tokenizer, signal: AbortSignal): Promise<number> {
  if (typeof input !== 'string') return input.length;
  let tokens = 0;
  let parts = 0;
  for (const part of tokenizer.parts(input)) {
    tokens += part.length;
    parts++;
    if (parts % partsPerTurn > 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  return tokens;
}
