import type { Conversation, ResponseItem } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, notFound, notFoundThrower } from '../../errors.ts';
import { listOf, listReply, pageQuery } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { projectStores } from '../../media/files/storage.ts';
import { storedInput } from '../../items/stored-input.ts';
import type { HandlersOf } from '../../http/implement.ts';

export const conversations: HandlersOf<'conversations'> & HandlersOf<'conversations.items'> = {
  async 'conversations.create'(call, server) {
    const { items = [], metadata = {} } = call.body;
    const conversation: Conversation = {
      id: server.createId('conv_'),
      object: 'conversation',
      created_at: nowInSeconds(server.clock),
      metadata,
    };
    const stored = await storedInput({ items, path: 'items' }, call, server);
    await projectStores(call, server).conversations.create(conversation, stored);
    return { status: 200, body: conversation };
  },

  async 'conversations.retrieve'(call, server) {
    const id = idInPath(call);
    return {
      status: 200,
      body: (await projectStores(call, server).conversations.get(id)) ?? throwConversationNotFound(id),
    };
  },

  async 'conversations.update'(call, server) {
    const id = idInPath(call);
    const updated = await projectStores(call, server).conversations.setMetadata(id, call.body.metadata);
    return { status: 200, body: updated ?? throwConversationNotFound(id) };
  },

  /** With its items. */
  async 'conversations.delete'(call, server) {
    const id = idInPath(call);
    if (!(await projectStores(call, server).conversations.delete(id))) throwConversationNotFound(id);
    return { status: 200, body: { id, object: 'conversation.deleted', deleted: true } };
  },

  /** Adds all items or none. */
  async 'conversations.items.create'(call, server) {
    const id = idInPath(call);
    const items = await storedInput({ items: call.body.items, path: 'items' }, call, server);
    const added = await projectStores(call, server).conversations.addItems(id, items);
    if (added === 'conversation_not_found') throwConversationNotFound(id);
    if (added === 'duplicate_item') {
      throw invalid('items', "Invalid 'items': the conversation already has an item with one of these IDs. Omit `id`.");
    }
    return { status: 200, body: listOf({ items, hasMore: false }) };
  },

  async 'conversations.items.list'(call, server) {
    const id = idInPath(call);
    const query = pageQuery(call.query, 'desc');
    const { conversations } = projectStores(call, server);
    const page = await conversations.items(id, query);
    if (!page && !(await conversations.get(id))) throwConversationNotFound(id);
    return listReply(page, query.after);
  },

  async 'conversations.items.retrieve'(call, server) {
    const id = idInPath(call);
    const item: ResponseItem | undefined = await projectStores(call, server).conversations.item(id, itemIdOf(call));
    return { status: 200, body: item ?? (await itemNotFound(call, server)) };
  },

  /** Returns the conversation. */
  async 'conversations.items.delete'(call, server) {
    const id = idInPath(call);
    const { conversations } = projectStores(call, server);
    if (!(await conversations.deleteItem(id, itemIdOf(call)))) await itemNotFound(call, server);
    return { status: 200, body: (await conversations.get(id)) ?? throwConversationNotFound(id) };
  },
};

function idInPath({ params }: Pick<Call, 'params'>): string {
  return params['conversation_id'] ?? '';
}

/** Does not exist or belongs to another project; the error does not reveal which. */
const throwConversationNotFound = notFoundThrower('conversation', 'conversation_id');

function itemIdOf({ params }: Pick<Call, 'params'>): string {
  return params['item_id'] ?? '';
}

/** @throws a 404 that names the conversation, where that does not exist, or the item. */
async function itemNotFound(call: Call, server: ServerContext): Promise<never> {
  const id = idInPath(call);
  if (!(await projectStores(call, server).conversations.get(id))) throwConversationNotFound(id);
  throw notFound('item', itemIdOf(call), 'item_id');
}
