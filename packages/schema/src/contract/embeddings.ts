import { embeddingCreateParamsSchema, embeddingListSchema } from '../embeddings.ts';
import { createEmbedding } from '../routes.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const embeddingEndpoints = endpoints(
  {
    'embeddings.create': endpoint(
      createEmbedding,
      'Turn texts into vectors that can be compared.',
      embeddingListSchema,
      {
        access: 'infer',
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
        errors: errors.modelFailed,
      },
    ),
  },
  ['embeddings'],
);
