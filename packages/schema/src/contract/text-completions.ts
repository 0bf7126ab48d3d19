import { textCompletionCreateParamsSchema, textCompletionSchema } from '../text-completions.ts';
import { createCompletion } from '../routes.ts';
import { endpoint, json, idempotencyKeyInUse, unknownModel, unsupported, upstreamFailed } from './endpoint.ts';

export const textCompletionEndpoints = {
  'completions.create': endpoint('completions.create', {
    route: createCompletion,
    summary: 'Continue a text (legacy), as one object or as a stream of chunks.',
    section: 'companion',
    request: [
      json(textCompletionCreateParamsSchema, {
        'A text': { model: 'simulator', prompt: 'Name three rivers in Europe.', max_tokens: 64 },
        'Several texts': { model: 'simulator', prompt: ['Hello!', 'What is 6 * 7?'], temperature: 0 },
      }),
    ],
    response: textCompletionSchema,
    event: textCompletionSchema,
    errors: [unsupported, unknownModel, idempotencyKeyInUse, ...upstreamFailed],
  }),
};
