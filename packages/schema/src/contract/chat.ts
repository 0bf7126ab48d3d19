import { chatCompletionChunkSchema } from '../chat/chunk.ts';
import { chatCompletionSchema } from '../chat/completion.ts';
import { chatCompletionCreateParamsSchema } from '../chat/create.ts';
import {
  chatCompletionDeletedSchema,
  chatCompletionListQuerySchema,
  chatCompletionListSchema,
  chatCompletionResumeQuerySchema,
  chatCompletionRetrieveQuerySchema,
  chatCompletionUpdateParamsSchema,
  chatMessageListQuerySchema,
  chatMessageListSchema,
  storedChatCompletionSchema,
} from '../chat/stored.ts';
import { parseChatCompletionCreate } from '../chat/parse.ts';
import * as routes from '../routes.ts';
import { chatCompletionExamples } from './chat-examples.ts';
import { endpoint, endpoints, eventStream, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const chatEndpoints = endpoints(
  {
    'chat.completions.create': endpoint(
      routes.createChatCompletion,
      'Generate replies to a conversation, as one object or as a stream of chunks.',
      chatCompletionSchema,
      {
        section: 'Create chat completion',
        access: 'infer',
        needs: [],
        request: [json(chatCompletionCreateParamsSchema, chatCompletionExamples, parseChatCompletionCreate)],
        event: chatCompletionChunkSchema,
        streamIdPrefix: 'chatcmpl-',
        errors: [...errors.modelFailed, ...errors.streamEnded],
      },
    ),
    'chat.completions.list': endpoint(
      routes.listChatCompletions,
      'List stored completions, optionally filtered by model, metadata and time.',
      chatCompletionListSchema,
      { section: 'List chat completions', query: chatCompletionListQuerySchema, errors: [errors.slowQuery] },
    ),
    'chat.completions.retrieve': endpoint(
      routes.retrieveChatCompletion,
      'Retrieve a stored completion.',
      storedChatCompletionSchema,
      { query: chatCompletionRetrieveQuerySchema },
    ),
    'chat.completions.update': endpoint(
      routes.updateChatCompletion,
      'Replace the metadata of a stored completion.',
      storedChatCompletionSchema,
      {
        section: 'Update chat completion',
        request: [
          json(chatCompletionUpdateParamsSchema, {
            'New metadata': { metadata: { topic: 'titles', reviewed: 'yes' } },
          }),
        ],
      },
    ),
    'chat.completions.delete': endpoint(
      routes.deleteChatCompletion,
      'Delete a stored completion. One that is generated as a resumable stream is cancelled.',
      chatCompletionDeletedSchema,
    ),
    'chat.completions.resume': endpoint(
      routes.resumeChatCompletion,
      'Stream a completion that was created as a resumable stream, after any event, also while it is generated.',
      eventStream,
      {
        access: 'result',
        query: chatCompletionResumeQuerySchema,
        event: chatCompletionChunkSchema,
        notFound: errors.objectNotFound('resumable stream'),
        errors: errors.streamEnded,
      },
    ),
    'chat.completions.messages.list': endpoint(
      routes.listChatMessages,
      'List the messages of a stored completion.',
      chatMessageListSchema,
      { section: 'Get chat messages', query: chatMessageListQuerySchema },
    ),
  },
  ['stores'],
);
