import { compactedResponseSchema, responseCompactParamsSchema } from '../responses/compact.ts';
import { responseStreamEventSchema } from '../responses/events.ts';
import { responseInputTokensParamsSchema, responseInputTokensSchema } from '../responses/input-tokens.ts';
import { responseSchema } from '../responses/response.ts';
import {
  responseDeletedSchema,
  responseItemListQuerySchema,
  responseItemListSchema,
  responseRetrieveQuerySchema,
} from '../responses/stored.ts';
import { parseResponseCompact } from '../responses/parse.ts';
import type { ResponseInputTokensParams } from '../types/requests.ts';
import * as routes from '../routes.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

const model = 'simulator';

export const storedResponseEndpoints = endpoints(
  {
    'responses.retrieve': endpoint(
      routes.retrieveResponse,
      'Retrieve a stored response, or stream the events of one that was created in the background.',
      responseSchema,
      {
        access: 'result',
        query: responseRetrieveQuerySchema,
        event: responseStreamEventSchema,
        errors: [errors.invalidState('With `stream`: the response was not created with `background` and `stream`.')],
      },
    ),
    'responses.delete': endpoint(
      routes.deleteResponse,
      'Delete a stored response with its items. One that is running is stopped.',
      responseDeletedSchema,
    ),
    'responses.cancel': endpoint(
      routes.cancelResponse,
      'Cancel a background response. A response that has ended is returned unchanged.',
      responseSchema,
      { errors: [errors.invalidState('The response was not created with `background`.')] },
    ),
    'responses.input_items.list': endpoint(
      routes.listResponseInputItems,
      'List the items of the input of a stored response, without those of the responses before it.',
      responseItemListSchema,
      { query: responseItemListQuerySchema },
    ),
    'responses.input_tokens.count': endpoint(
      routes.countResponseInputTokens,
      'Count the tokens of an input, without generating a response.',
      responseInputTokensSchema,
      {
        access: 'infer',
        needs: [],
        request: [
          json<ResponseInputTokensParams>(responseInputTokensParamsSchema, {
            'A text': { model, input: 'Name three rivers in Europe.' },
          }),
        ],
        errors: [
          errors.unsupported,
          errors.previousNotFound,
          errors.objectNotFound('conversation or item'),
          errors.unknownModel,
        ],
      },
    ),
    'responses.compact': endpoint(
      routes.compactResponse,
      'Replace a long input by the messages of the user and a summary that the model writes.',
      compactedResponseSchema,
      {
        access: 'infer',
        needs: [],
        request: [
          json(
            responseCompactParamsSchema,
            {
              'A conversation': {
                model,
                input: [
                  { role: 'user', content: 'Which river flows through Vienna?' },
                  { role: 'assistant', content: 'The Danube.' },
                ],
              },
            },
            parseResponseCompact,
          ),
        ],
        errors: [
          errors.unsupported,
          errors.previousNotFound,
          errors.objectNotFound('item'),
          errors.unknownModel,
          errors.idempotencyKeyInUse,
          ...errors.upstreamFailed,
        ],
      },
    ),
  },
  ['stores'],
);
