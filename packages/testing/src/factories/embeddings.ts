import type { Embedding, EmbeddingCreateParams, EmbeddingList } from '@modelwire/schema/types';
import { factory } from './factory.ts';
import type { Random } from './random.ts';

export function embeddingFactories(random: Random) {
  const embedding = factory<Embedding>(() => ({ object: 'embedding', index: 0, embedding: [0.6, 0.8] }));
  return {
    embedding,
    embeddingCreateParams: factory<EmbeddingCreateParams>(() => ({
      model: 'text-embedding-3-small',
      input: random.sentence(),
    })),
    embeddingList: factory<EmbeddingList>(() => ({
      object: 'list',
      data: [embedding()],
      model: 'text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })),
  };
}
