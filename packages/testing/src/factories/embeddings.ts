import type { Embedding, EmbeddingList } from '@modelwire/schema/types';
import { factory } from './factory.ts';

export function embeddingFactories() {
  const embedding = factory<Embedding>(() => ({ object: 'embedding', index: 0, embedding: [0.6, 0.8] }));
  return {
    embedding,
    embeddingList: factory<EmbeddingList>(() => ({
      object: 'list',
      data: [embedding()],
      model: 'text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })),
  };
}
