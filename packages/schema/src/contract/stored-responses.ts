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
import * as routes from '../routes.ts';
import {
  objectNotFound,
  endpoint,
  json,
  idempotencyKeyInUse,
  unknownModel,
  unsupported,
  upstreamFailed,
  invalidState,
} from './endpoint.ts';
import { previousNotFound } from './responses.ts';

const model = 'simulator';
const responseNotFound = objectNotFound('stored response');

export const storedResponseEndpoints = {
  'responses.retrieve': endpoint('responses.retrieve', {
    route: routes.retrieveResponse,
    summary: 'Retrieve a stored response, or stream the events of one that was created in the background.',
    section: 'companion',
    query: responseRetrieveQuerySchema,
    response: responseSchema,
    event: responseStreamEventSchema,
    errors: [
      responseNotFound,
      invalidState('With `stream`: the response was not created with `background` and `stream`.'),
    ],
  }),
  'responses.delete': endpoint('responses.delete', {
    route: routes.deleteResponse,
    summary: 'Delete a stored response with its items. One that is running is stopped.',
    section: 'companion',
    response: responseDeletedSchema,
    errors: [responseNotFound],
  }),
  'responses.cancel': endpoint('responses.cancel', {
    route: routes.cancelResponse,
    summary: 'Cancel a background response. A response that has ended is returned unchanged.',
    section: 'companion',
    response: responseSchema,
    errors: [responseNotFound, invalidState('The response was not created with `background`.')],
  }),
  'responses.input_items.list': endpoint('responses.input_items.list', {
    route: routes.listResponseInputItems,
    summary: 'List the items of the input of a stored response, without those of the responses before it.',
    section: 'companion',
    query: responseItemListQuerySchema,
    response: responseItemListSchema,
    errors: [responseNotFound],
  }),
  'responses.input_tokens.count': endpoint('responses.input_tokens.count', {
    route: routes.countResponseInputTokens,
    summary: 'Count the tokens of an input, without generating a response.',
    section: 'companion',
    request: [json(responseInputTokensParamsSchema, { 'A text': { model, input: 'Name three rivers in Europe.' } })],
    response: responseInputTokensSchema,
    errors: [unsupported, previousNotFound, objectNotFound('conversation or item'), unknownModel],
  }),
  'responses.compact': endpoint('responses.compact', {
    route: routes.compactResponse,
    summary: 'Replace a long input by the messages of the user and a summary that the model writes.',
    section: 'companion',
    request: [
      json(responseCompactParamsSchema, {
        'A conversation': {
          model,
          input: [
            { role: 'user', content: 'Which river flows through Vienna?' },
            { role: 'assistant', content: 'The Danube.' },
          ],
        },
      }),
    ],
    response: compactedResponseSchema,
    errors: [
      unsupported,
      previousNotFound,
      objectNotFound('item'),
      unknownModel,
      idempotencyKeyInUse,
      ...upstreamFailed,
    ],
  }),
};
