import { conversationDeletedSchema, conversationSchema } from '../conversations/conversation.ts';
import {
  conversationCreateParamsSchema,
  conversationItemQuerySchema,
  conversationItemsCreateParamsSchema,
  conversationUpdateParamsSchema,
} from '../conversations/requests.ts';
import { responseItemListQuerySchema, responseItemListSchema, responseItemSchema } from '../responses/stored.ts';
import * as routes from '../routes.ts';
import type { ConversationCreateParams, ConversationItemsCreateParams } from '../types/requests.ts';
import { endpoint, endpoints, json, optionalJson } from './endpoint.ts';
import * as errors from './errors.ts';

const items = [{ role: 'user', content: 'Hello' }];

export const conversationEndpoints = endpoints(
  {
    'conversations.create': endpoint(routes.createConversation, 'Create a conversation.', conversationSchema, {
      request: [
        optionalJson<ConversationCreateParams>(conversationCreateParamsSchema, {
          'An empty conversation': {},
          'With items and metadata': { items, metadata: { topic: 'rivers' } },
        }),
      ],
      errors: [errors.objectNotFound('item that an `item_reference` names'), errors.idempotencyKeyInUse],
    }),
    'conversations.retrieve': endpoint(
      routes.retrieveConversation,
      'Retrieve a conversation, without its items.',
      conversationSchema,
    ),
    'conversations.update': endpoint(
      routes.updateConversation,
      'Replace the metadata of a conversation.',
      conversationSchema,
      { request: [json(conversationUpdateParamsSchema, { 'New metadata': { metadata: { topic: 'rivers' } } })] },
    ),
    'conversations.delete': endpoint(
      routes.deleteConversation,
      'Delete a conversation with its items. Responses keep their own input and output.',
      conversationDeletedSchema,
    ),
    'conversations.items.create': endpoint(
      routes.createConversationItems,
      'Add items to a conversation, all or none.',
      responseItemListSchema,
      {
        query: conversationItemQuerySchema,
        request: [json<ConversationItemsCreateParams>(conversationItemsCreateParamsSchema, { 'A message': { items } })],
        notFound: errors.objectNotFound('conversation or item'),
        errors: [errors.idempotencyKeyInUse],
      },
    ),
    'conversations.items.list': endpoint(
      routes.listConversationItems,
      'List the items of a conversation.',
      responseItemListSchema,
      { query: responseItemListQuerySchema },
    ),
    'conversations.items.retrieve': endpoint(
      routes.retrieveConversationItem,
      'Retrieve an item of a conversation.',
      responseItemSchema,
      { query: conversationItemQuerySchema },
    ),
    'conversations.items.delete': endpoint(
      routes.deleteConversationItem,
      'Delete an item of a conversation. Returns the conversation.',
      conversationSchema,
    ),
  },
  ['stores'],
);
