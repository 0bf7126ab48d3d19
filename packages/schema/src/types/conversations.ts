import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { ResponseInputItem } from './response-items.ts';
import type { ResponseInclude } from './response-request.ts';
import type { ResponseItem } from './response-stored.ts';
import type { List } from './paging.ts';

/** Items that responses continue and are added to. */
export interface Conversation {
  id: string;
  object: 'conversation';
  /** Unix seconds. */
  created_at: number;
  metadata: Metadata;
}

/** Body of Create conversation. */
export interface ConversationCreateParams {
  readonly metadata?: Readonly<Metadata>;
  /** At most 20. */
  readonly items?: readonly ResponseInputItem[];
}

/** Body of Update conversation. */
export interface ConversationUpdateParams {
  readonly metadata: Readonly<Metadata>;
}

export interface ConversationDeleted {
  id: string;
  object: 'conversation.deleted';
  deleted: boolean;
}

/** Body of Create items. */
export interface ConversationItemsCreateParams {
  /** At most 20. */
  readonly items: readonly ResponseInputItem[];
}

/** Query of the calls on one item, and of Create items. */
export interface ConversationItemParams {
  readonly include?: readonly Open<ResponseInclude>[];
}

export type ConversationItemList = List<ResponseItem>;
