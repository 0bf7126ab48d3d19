import type { Conversation, ResponseItem } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { listOf, listReply, pageQuery } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { projectStores } from '../../media/files/storage.ts';
import { storedInput } from '../../items/stored-input.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('conversation', 'conversation_id');
const itemInPath = objectInPath('item', 'item_id');

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
    const found = await projectStores(call, server).conversations.get(inPath.id(call));
    return { status: 200, body: found ?? inPath.throwNotFound(call) };
  },

  async 'conversations.update'(call, server) {
    const { conversations: stored } = projectStores(call, server);
    const updated = await stored.setMetadata(inPath.id(call), call.body.metadata);
    return { status: 200, body: updated ?? inPath.throwNotFound(call) };
  },

  /** With its items. */
  async 'conversations.delete'(call, server) {
    const id = inPath.id(call);
    if (!(await projectStores(call, server).conversations.delete(id))) inPath.throwNotFound(call);
    return { status: 200, body: { id, object: 'conversation.deleted', deleted: true } };
  },

  /** Adds all items or none. */
  async 'conversations.items.create'(call, server) {
    const id = inPath.id(call);
    const items = await storedInput({ items: call.body.items, path: 'items' }, call, server);
    const added = await projectStores(call, server).conversations.addItems(id, items);
    if (added === 'conversation_not_found') inPath.throwNotFound(call);
    if (added === 'duplicate_item') {
      throw invalid('items', "Invalid 'items': the conversation already has an item with one of these IDs. Omit `id`.");
    }
    return { status: 200, body: listOf({ items, hasMore: false }) };
  },

  async 'conversations.items.list'(call, server) {
    const id = inPath.id(call);
    const query = pageQuery(call.query, 'desc');
    const { conversations } = projectStores(call, server);
    const page = await conversations.items(id, query);
    if (!page && !(await conversations.get(id))) inPath.throwNotFound(call);
    return listReply(page, query.after);
  },

  async 'conversations.items.retrieve'(call, server) {
    const id = inPath.id(call);
    const item: ResponseItem | undefined = await projectStores(call, server).conversations.item(
      id,
      itemInPath.id(call),
    );
    return { status: 200, body: item ?? (await itemNotFound(call, server)) };
  },

  /** Returns the conversation. */
  async 'conversations.items.delete'(call, server) {
    const id = inPath.id(call);
    const { conversations } = projectStores(call, server);
    if (!(await conversations.deleteItem(id, itemInPath.id(call)))) await itemNotFound(call, server);
    return { status: 200, body: (await conversations.get(id)) ?? inPath.throwNotFound(call) };
  },
};

/** @throws a 404 that names the conversation, where that does not exist, or the item. */
async function itemNotFound(call: Call, server: ServerContext): Promise<never> {
  const id = inPath.id(call);
  if (!(await projectStores(call, server).conversations.get(id))) inPath.throwNotFound(call);
  return itemInPath.throwNotFound(call);
}
