import * as z from 'zod';
import { constant, count, integer, requestObject, responseObject, string, text } from './fields/field.ts';
import {
  EMBEDDING_DIMENSIONS_MAX,
  EMBEDDING_INPUTS_MAX,
  EMBEDDING_INPUT_MAX_LENGTH,
  EMBEDDING_INPUT_MAX_TOKENS,
  EMBEDDING_MAX_LENGTH,
  EMBEDDING_MAX_TOKENS,
} from './limits.ts';
import { textOrTokens } from './fields/text-or-tokens.ts';

export const embeddingCreateParamsSchema = requestObject('EmbeddingCreateParams', 'A request for embeddings.', {
  input: textOrTokens({
    items: EMBEDDING_INPUTS_MAX,
    textLength: EMBEDDING_INPUT_MAX_LENGTH,
    totalLength: EMBEDDING_MAX_LENGTH,
    tokens: EMBEDDING_INPUT_MAX_TOKENS,
    totalTokens: EMBEDDING_MAX_TOKENS,
    emptyText: false,
  }).meta({
    description: 'A text, several texts, the token IDs of a text, or those of several texts.',
    examples: ['The river Danube flows through ten countries.'],
  }),
  model: text({ min: 1 }).meta({ description: 'ID of the embedding model.', examples: ['simulator-embedding'] }),
  encoding_format: z.enum(['float', 'base64']).optional().meta({
    description: 'Form of the embeddings: numbers, or 32-bit floats (little-endian) in base64.',
    default: 'float',
  }),
  dimensions: integer({ min: 1, max: EMBEDDING_DIMENSIONS_MAX })
    .optional()
    .describe('Length of the embeddings, for models that support it. Default: the size of the model.'),
  user: z.string().optional().describe('ID of your end user.'),
});

export const embeddingSchema = responseObject('Embedding', 'The embedding of one input.', {
  object: constant('embedding'),
  index: count('Position of the input, from 0.'),
  embedding: z
    .union([z.array(z.number()), z.string()])
    .meta({ description: 'The vector: numbers, or a string of base64.', examples: [[0.6, -0.8]] }),
});

export const embeddingListSchema = responseObject('EmbeddingList', 'The embeddings of a request.', {
  object: constant('list'),
  data: z.array(embeddingSchema).describe('One embedding for each input, in their order.'),
  model: string('Model that made them.', 'simulator-embedding'),
  usage: z
    .looseObject({
      prompt_tokens: count('Tokens of all inputs.'),
      total_tokens: count('The same: embeddings have no output tokens.'),
    })
    .optional()
    .describe('Tokens that the request used. Absent where the server of the model does not report them.'),
});
