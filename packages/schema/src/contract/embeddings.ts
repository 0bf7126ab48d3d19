import { embeddingCreateParamsSchema, embeddingListSchema } from '../embeddings.ts';
import { createEmbedding } from '../routes.ts';
import { endpoint, json, idempotencyKeyInUse, unknownModel, unsupported, upstreamFailed } from './endpoint.ts';

export const embeddingEndpoints = {
  'embeddings.create': endpoint('embeddings.create', {
    route: createEmbedding,
    summary: 'Turn texts into vectors that can be compared.',
    section: 'companion',
    request: [
      json(embeddingCreateParamsSchema, {
        'A text': { model: 'simulator-embedding', input: 'The river Danube flows through ten countries.' },
        'Several texts, as base64': {
          model: 'simulator-embedding',
          input: ['The Danube is a river.', 'The Alps are mountains.'],
          encoding_format: 'base64',
          dimensions: 128,
        },
      }),
    ],
    response: embeddingListSchema,
    errors: [unknownModel, unsupported, idempotencyKeyInUse, ...upstreamFailed],
  }),
};
