import { chatCompletionChunkSchema } from '../chat/chunk.ts';
import { chatCompletionSchema } from '../chat/completion.ts';
import { chatCompletionCreateParamsSchema } from '../chat/create.ts';
import {
  chatCompletionDeletedSchema,
  chatCompletionListQuerySchema,
  chatCompletionListSchema,
  chatCompletionUpdateParamsSchema,
  chatMessageListQuerySchema,
  chatMessageListSchema,
  storedChatCompletionSchema,
} from '../chat/stored.ts';
import * as routes from '../routes.ts';
import { absent, endpoint, json, keyTaken, unknownModel, unsupported, upstreamFailed } from './endpoint.ts';

const absentCompletion = absent('stored completion');

export const chatEndpoints = {
  'chat.completions.create': endpoint('chat.completions.create', {
    route: routes.createChatCompletion,
    summary: 'Generate replies to a conversation, whole or streamed.',
    section: 'Create chat completion',
    request: [json(chatCompletionCreateParamsSchema)],
    response: chatCompletionSchema,
    event: chatCompletionChunkSchema,
    errors: [unsupported, unknownModel, keyTaken, ...upstreamFailed],
  }),
  'chat.completions.list': endpoint('chat.completions.list', {
    route: routes.listChatCompletions,
    summary: 'List stored completions, filtered by model and metadata.',
    section: 'List chat completions',
    query: chatCompletionListQuerySchema,
    response: chatCompletionListSchema,
  }),
  'chat.completions.retrieve': endpoint('chat.completions.retrieve', {
    route: routes.retrieveChatCompletion,
    summary: 'Read one stored completion.',
    section: 'companion',
    response: storedChatCompletionSchema,
    errors: [absentCompletion],
  }),
  'chat.completions.update': endpoint('chat.completions.update', {
    route: routes.updateChatCompletion,
    summary: 'Replace the metadata of a stored completion.',
    section: 'Update chat completion',
    request: [json(chatCompletionUpdateParamsSchema)],
    response: storedChatCompletionSchema,
    errors: [absentCompletion],
  }),
  'chat.completions.delete': endpoint('chat.completions.delete', {
    route: routes.deleteChatCompletion,
    summary: 'Delete a stored completion.',
    section: 'companion',
    response: chatCompletionDeletedSchema,
    errors: [absentCompletion],
  }),
  'chat.completions.messages.list': endpoint('chat.completions.messages.list', {
    route: routes.listChatMessages,
    summary: 'Read the messages of a stored completion.',
    section: 'Get chat messages',
    query: chatMessageListQuerySchema,
    response: chatMessageListSchema,
    errors: [absentCompletion],
  }),
};
