import type { Conversation, Metadata } from '@modelwire/schema/types';
import type { Page, PageQuery } from './page.ts';
import type { StoredItem } from './response-store.ts';

export type StoredConversation = Conversation;

/** The result of adding items. An item ID may occur once in a conversation. */
export type AddedItems = 'added' | 'conversation_not_found' | 'duplicate_item';

/** Conversations of one project, without expiry. No method reads or changes those of another project. */
export interface ConversationStore {
  /** Item IDs must be unique in `items`. Durable when it resolves. */
  create(conversation: StoredConversation, items: readonly StoredItem[]): Promise<void>;
  get(id: string): Promise<StoredConversation | undefined>;
  /** Replaces all metadata. */
  setMetadata(id: string, metadata: Readonly<Metadata>): Promise<StoredConversation | undefined>;
  /** Deletes the conversation with its items. Responses keep their own input and output. Returns false when it does not exist. */
  delete(id: string): Promise<boolean>;
  /** Appends all items in order, or none. Turns that are appended concurrently do not interleave. */
  addItems(id: string, items: readonly StoredItem[]): Promise<AddedItems>;
  /** In the order they were appended; `desc` reverses it. Undefined when the conversation or the item `after` does not exist. */
  items(id: string, query: PageQuery): Promise<Page<StoredItem> | undefined>;
  item(id: string, itemId: string): Promise<StoredItem | undefined>;
  /** Returns false when the conversation or the item does not exist. */
  deleteItem(id: string, itemId: string): Promise<boolean>;
  /**
   * All items in order. Undefined when the conversation does not exist.
   *
   * @param limits `maxLength`: UTF-16 code units of the items as JSON.
   */
  history(id: string, limits: { readonly maxLength: number }): Promise<readonly StoredItem[] | 'too_long' | undefined>;
}
