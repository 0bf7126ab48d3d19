import { ignoredQuerySchema } from '../fields/paging.ts';
import {
  messageCountTokensParamsSchema,
  messageCreateParamsSchema,
  messageTokensCountSchema,
} from '../messages/create.ts';
import { messageSchema, messageStreamEventSchema } from '../messages/message.ts';
import { parseMessageCountTokens, parseMessageCreate } from '../messages/parse.ts';
import {
  messageBatchCreateParamsSchema,
  messageBatchDeletedSchema,
  messageBatchListQuerySchema,
  messageBatchListSchema,
  messageBatchSchema,
} from '../messages/batch.ts';
import * as routes from '../routes.ts';
import { riverSchema } from './chat-examples.ts';
import { binary, endpoint, endpoints, json } from './endpoint.ts';
import type { RequestExamples } from './endpoint.ts';
import * as errors from './errors.ts';

const prompt = { model: 'simulator', messages: [{ role: 'user', content: 'Name three rivers in Europe.' }] };
const ask = { ...prompt, max_tokens: 256 };

const messageExamples: RequestExamples = {
  'A message': ask,
  'A streamed message': { ...ask, stream: true },
  'A conversation': {
    ...ask,
    system: 'Answer in one sentence.',
    messages: [
      { role: 'user', content: 'Which river flows through Vienna?' },
      { role: 'assistant', content: [{ type: 'text', text: 'The Danube.' }] },
      { role: 'user', content: [{ type: 'text', text: 'And through Cologne?' }] },
    ],
  },
  'A tool': {
    ...ask,
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [
      {
        name: 'get_weather',
        description: 'Returns the current weather in a city.',
        input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ],
  },
  'Structured output': {
    ...ask,
    messages: [{ role: 'user', content: 'Describe the river Rhine.' }],
    output_config: { format: { type: 'json_schema', schema: riverSchema } },
  },
};

const init = {
  access: 'infer',
  dialect: 'messages',
  // Clients add `beta=true`.
  query: ignoredQuerySchema,
  responseHeaders: {
    'request-id': 'The same as `x-request-id`.',
    'x-modelwire-unsupported-tools':
      'Types of the tools and blocks that the model was not given because they do not run here, separated by commas. Only where there are any.',
  },
} as const;

const batchInit = {
  dialect: 'messages',
  needs: ['stores', 'blobs'],
  query: ignoredQuerySchema,
} as const;

const request = (custom_id: string) => ({ custom_id, params: ask });

const noThreads = errors.endpointError(
  400,
  ['thread_unsupported_request'],
  'The request continues a thread: send the whole conversation.',
);

export const messageEndpoints = endpoints({
  'messages.create': endpoint(
    routes.createMessage,
    'Generate a message in the form of the Anthropic Messages API, as one object or as a stream of events.',
    messageSchema,
    {
      ...init,
      request: [json(messageCreateParamsSchema, messageExamples, parseMessageCreate)],
      event: messageStreamEventSchema,
      errors: [noThreads, ...errors.modelFailed],
    },
  ),
  'messages.count_tokens': endpoint(
    routes.countMessageTokens,
    'Count the tokens of a prompt in the form of the Anthropic Messages API.',
    messageTokensCountSchema,
    {
      ...init,
      request: [json(messageCountTokensParamsSchema, { 'A prompt': prompt }, parseMessageCountTokens)],
      errors: [noThreads, errors.unsupported, errors.unknownModel],
    },
  ),
  'messages.batches.create': endpoint(routes.createMessageBatch, 'Create a batch of messages.', messageBatchSchema, {
    ...batchInit,
    request: [
      json(messageBatchCreateParamsSchema, { 'Two requests': { requests: [request('first'), request('second')] } }),
    ],
    errors: [errors.idempotencyKeyInUse, errors.unsupported],
  }),
  'messages.batches.list': endpoint(routes.listMessageBatches, 'List batches of messages.', messageBatchListSchema, {
    ...batchInit,
    query: messageBatchListQuerySchema,
  }),
  'messages.batches.retrieve': endpoint(
    routes.retrieveMessageBatch,
    'Retrieve a batch of messages.',
    messageBatchSchema,
    batchInit,
  ),
  'messages.batches.cancel': endpoint(
    routes.cancelMessageBatch,
    'Cancel a batch of messages. Requests that run may finish.',
    messageBatchSchema,
    { ...batchInit, errors: [errors.notCancellable] },
  ),
  'messages.batches.results': endpoint(
    routes.retrieveMessageBatchResults,
    'Retrieve the results of a batch of messages that has ended, one a line, in any order.',
    binary(['application/x-jsonl'], 'The results.'),
    { ...batchInit, access: 'result', errors: [errors.invalidState('The batch has not ended.')] },
  ),
  'messages.batches.delete': endpoint(
    routes.deleteMessageBatch,
    'Delete a batch of messages that has ended, with its results.',
    messageBatchDeletedSchema,
    { ...batchInit, errors: [errors.invalidState('The batch has not ended.')] },
  ),
});
