import type { EmbeddingEngine } from '@modelwire/ports';

/** Embeddings under any model id: deterministic vectors of hashed words. Loaded on first use, since they load a tokenizer. */
export function testEmbeddings(created: number): EmbeddingEngine {
  let engine: Promise<EmbeddingEngine> | undefined;
  return {
    name: 'testing-embeddings',
    concurrency: 100_000,
    models: () => [],
    resolveModel: (id) => ({ id, created, owned_by: 'modelwire-testing', dimensions: 'native', tokens: 'native' }),
    async embed(request, context) {
      engine ??= import('@modelwire/engine-simulator').then(({ createSimulatorEmbedding }) =>
        createSimulatorEmbedding(),
      );
      return (await engine).embed(request, context);
    },
  };
}
