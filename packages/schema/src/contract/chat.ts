import { chatCompletionChunkSchema } from '../chat/chunk.ts';
import { chatCompletionSchema } from '../chat/completion.ts';
import { chatCompletionCreateParamsSchema } from '../chat/create.ts';
import {
  chatCompletionDeletedSchema,
  chatCompletionListQuerySchema,
  chatCompletionListSchema,
  chatCompletionRetrieveQuerySchema,
  chatCompletionUpdateParamsSchema,
  chatMessageListQuerySchema,
  chatMessageListSchema,
  storedChatCompletionSchema,
} from '../chat/stored.ts';
import * as routes from '../routes.ts';
import { chatCompletionExamples } from './chat-examples.ts';
import {
  objectNotFound,
  endpoint,
  json,
  idempotencyKeyInUse,
  slowQuery,
  unknownModel,
  unsupported,
  upstreamFailed,
} from './endpoint.ts';

const completionNotFound = objectNotFound('stored completion');

export const chatEndpoints = {
  'chat.completions.create': endpoint('chat.completions.create', {
    route: routes.createChatCompletion,
    summary: 'Generate replies to a conversation, as one object or as a stream of chunks.',
    section: 'Create chat completion',
    request: [json(chatCompletionCreateParamsSchema, chatCompletionExamples)],
    response: chatCompletionSchema,
    event: chatCompletionChunkSchema,
    errors: [unsupported, unknownModel, idempotencyKeyInUse, ...upstreamFailed],
  }),
  'chat.completions.list': endpoint('chat.completions.list', {
    route: routes.listChatCompletions,
    summary: 'List stored completions, optionally filtered by model, metadata and time.',
    section: 'List chat completions',
    query: chatCompletionListQuerySchema,
    response: chatCompletionListSchema,
    errors: [slowQuery],
  }),
  'chat.completions.retrieve': endpoint('chat.completions.retrieve', {
    route: routes.retrieveChatCompletion,
    summary: 'Retrieve a stored completion.',
    section: 'companion',
    query: chatCompletionRetrieveQuerySchema,
    response: storedChatCompletionSchema,
    errors: [completionNotFound],
  }),
  'chat.completions.update': endpoint('chat.completions.update', {
    route: routes.updateChatCompletion,
    summary: 'Replace the metadata of a stored completion.',
    section: 'Update chat completion',
    request: [
      json(chatCompletionUpdateParamsSchema, { 'New metadata': { metadata: { topic: 'titles', reviewed: 'yes' } } }),
    ],
    response: storedChatCompletionSchema,
    errors: [completionNotFound],
  }),
  'chat.completions.delete': endpoint('chat.completions.delete', {
    route: routes.deleteChatCompletion,
    summary: 'Delete a stored completion.',
    section: 'companion',
    response: chatCompletionDeletedSchema,
    errors: [completionNotFound],
  }),
  'chat.completions.messages.list': endpoint('chat.completions.messages.list', {
    route: routes.listChatMessages,
    summary: 'List the messages of a stored completion.',
    section: 'Get chat messages',
    query: chatMessageListQuerySchema,
    response: chatMessageListSchema,
    errors: [completionNotFound],
  }),
};
