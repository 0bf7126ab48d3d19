import type { Metadata } from './metadata.ts';
import type { List } from './paging.ts';
import type { ResponseItem } from './response-stored.ts';

/** Items that responses continue and are added to. */
export interface Conversation {
  id: string;
  object: 'conversation';
  /** Unix seconds. */
  created_at: number;
  metadata: Metadata;
}

export interface ConversationDeleted {
  id: string;
  object: 'conversation.deleted';
  deleted: boolean;
}

export type ConversationItemList = List<ResponseItem>;
