import { textCompletionCreateParamsSchema, textCompletionSchema } from '../text-completions.ts';
import { createCompletion } from '../routes.ts';
import { parseRequest, withDefaultModel } from '../parsing/parse.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const textCompletionEndpoints = endpoints({
  'completions.create': endpoint(
    createCompletion,
    'Continue a text (legacy), as one object or as a stream of chunks.',
    textCompletionSchema,
    {
      access: 'infer',
      request: [
        json(
          textCompletionCreateParamsSchema,
          {
            'A text': { model: 'simulator', prompt: 'Name three rivers in Europe.', max_tokens: 64 },
            'Several texts': { model: 'simulator', prompt: ['Hello!', 'What is 6 * 7?'], temperature: 0 },
          },
          (body, options) => parseRequest(textCompletionCreateParamsSchema, withDefaultModel(body, options), options),
        ),
      ],
      event: textCompletionSchema,
      errors: errors.modelFailed,
    },
  ),
});
