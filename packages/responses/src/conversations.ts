import { createTransport, listPages } from '@modelwire/core';
import type { ApiPromise, CallOptions, Paged } from '@modelwire/core';
import {
  createConversation,
  createConversationItems,
  deleteConversation,
  deleteConversationItem,
  listConversationItems,
  retrieveConversation,
  retrieveConversationItem,
  updateConversation,
} from '@modelwire/schema/routes';
import type {
  Conversation,
  ConversationCreateParams,
  ConversationDeleted,
  ConversationItemParams,
  ConversationItemsCreateParams,
  ConversationUpdateParams,
  ResponseItem,
  ResponseItemList,
  ResponseItemListParams,
} from '@modelwire/schema/types';
import type { ClientOptions } from './client.ts';

/** The conversation of an item. */
export interface ConversationItemPath {
  readonly conversation_id: string;
}

/** Body and query of Create items. */
export type ConversationItemsCreateInput = ConversationItemsCreateParams & ConversationItemParams;

/** The conversation and the query of Retrieve item. */
export type ConversationItemRetrieveParams = ConversationItemPath & ConversationItemParams;

/** Items of conversations. */
export interface ConversationItems {
  /** Adds up to 20 items, all or none. */
  create(
    conversationId: string,
    params: ConversationItemsCreateInput,
    options?: CallOptions,
  ): ApiPromise<ResponseItemList>;
  /** Lists the items: `await` one page, or iterate all of them with `for await`. The newest come first. */
  list(conversationId: string, params?: ResponseItemListParams, options?: CallOptions): Paged<ResponseItemList>;
  retrieve(itemId: string, params: ConversationItemRetrieveParams, options?: CallOptions): ApiPromise<ResponseItem>;
  /** Deletes an item, and resolves with its conversation. */
  delete(itemId: string, params: ConversationItemPath, options?: CallOptions): ApiPromise<Conversation>;
}

/** Every method rejects only with a `ModelwireError`. */
export interface ConversationsClient {
  create(params?: ConversationCreateParams, options?: CallOptions): ApiPromise<Conversation>;
  /** Retrieves a conversation, without its items. */
  retrieve(conversationId: string, options?: CallOptions): ApiPromise<Conversation>;
  /** Replaces the metadata. */
  update(conversationId: string, params: ConversationUpdateParams, options?: CallOptions): ApiPromise<Conversation>;
  /** Deletes a conversation with its items. Responses keep their own input and output. */
  delete(conversationId: string, options?: CallOptions): ApiPromise<ConversationDeleted>;
  readonly items: ConversationItems;
}

/** Creates a client for conversations. Throws an `InputError` for an invalid base URL. */
export function createConversations(options: ClientOptions = {}): ConversationsClient {
  const transport = createTransport(options);
  return {
    create: (body = {}, options) => transport.request(createConversation, { ...options, body }),
    retrieve: (conversation_id, options) =>
      transport.request(retrieveConversation, { ...options, params: { conversation_id } }),
    update: (conversation_id, body, options) =>
      transport.request(updateConversation, { ...options, params: { conversation_id }, body }),
    delete: (conversation_id, options) =>
      transport.request(deleteConversation, { ...options, params: { conversation_id } }),
    items: {
      create: (conversation_id, { include, ...body }, options) =>
        transport.request(createConversationItems, {
          ...options,
          params: { conversation_id },
          query: { include },
          body,
        }),
      list: (conversation_id, query, options) =>
        listPages(transport, listConversationItems, query, { ...options, params: { conversation_id } }),
      retrieve: (item_id, { conversation_id, include }, options) =>
        transport.request(retrieveConversationItem, {
          ...options,
          params: { conversation_id, item_id },
          query: { include },
        }),
      delete: (item_id, { conversation_id }, options) =>
        transport.request(deleteConversationItem, { ...options, params: { conversation_id, item_id } }),
    },
  };
}
