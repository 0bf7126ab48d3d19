import { conversationDeletedSchema, conversationSchema } from '../conversations/conversation.ts';
import {
  conversationCreateParamsSchema,
  conversationItemQuerySchema,
  conversationItemsCreateParamsSchema,
  conversationUpdateParamsSchema,
} from '../conversations/requests.ts';
import { responseItemListQuerySchema, responseItemListSchema, responseItemSchema } from '../responses/stored.ts';
import * as routes from '../routes.ts';
import { objectNotFound, endpoint, json, idempotencyKeyInUse } from './endpoint.ts';

const conversationNotFound = objectNotFound('conversation');
const itemNotFound = objectNotFound('conversation or item');
const items = [{ role: 'user', content: 'Hello' }];

export const conversationEndpoints = {
  'conversations.create': endpoint('conversations.create', {
    route: routes.createConversation,
    summary: 'Create a conversation.',
    section: 'companion',
    request: [
      json(conversationCreateParamsSchema, {
        'An empty conversation': {},
        'With items and metadata': { items, metadata: { topic: 'rivers' } },
      }),
    ],
    response: conversationSchema,
    errors: [objectNotFound('item that an `item_reference` names'), idempotencyKeyInUse],
  }),
  'conversations.retrieve': endpoint('conversations.retrieve', {
    route: routes.retrieveConversation,
    summary: 'Retrieve a conversation, without its items.',
    section: 'companion',
    response: conversationSchema,
    errors: [conversationNotFound],
  }),
  'conversations.update': endpoint('conversations.update', {
    route: routes.updateConversation,
    summary: 'Replace the metadata of a conversation.',
    section: 'companion',
    request: [json(conversationUpdateParamsSchema, { 'New metadata': { metadata: { topic: 'rivers' } } })],
    response: conversationSchema,
    errors: [conversationNotFound],
  }),
  'conversations.delete': endpoint('conversations.delete', {
    route: routes.deleteConversation,
    summary: 'Delete a conversation with its items. Responses keep their own input and output.',
    section: 'companion',
    response: conversationDeletedSchema,
    errors: [conversationNotFound],
  }),
  'conversations.items.create': endpoint('conversations.items.create', {
    route: routes.createConversationItems,
    summary: 'Add items to a conversation, all or none.',
    section: 'companion',
    query: conversationItemQuerySchema,
    request: [json(conversationItemsCreateParamsSchema, { 'A message': { items } })],
    response: responseItemListSchema,
    errors: [itemNotFound, idempotencyKeyInUse],
  }),
  'conversations.items.list': endpoint('conversations.items.list', {
    route: routes.listConversationItems,
    summary: 'List the items of a conversation.',
    section: 'companion',
    query: responseItemListQuerySchema,
    response: responseItemListSchema,
    errors: [conversationNotFound],
  }),
  'conversations.items.retrieve': endpoint('conversations.items.retrieve', {
    route: routes.retrieveConversationItem,
    summary: 'Retrieve an item of a conversation.',
    section: 'companion',
    query: conversationItemQuerySchema,
    response: responseItemSchema,
    errors: [itemNotFound],
  }),
  'conversations.items.delete': endpoint('conversations.items.delete', {
    route: routes.deleteConversationItem,
    summary: 'Delete an item of a conversation. Returns the conversation.',
    section: 'companion',
    response: conversationSchema,
    errors: [itemNotFound],
  }),
};
