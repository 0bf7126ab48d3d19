import type {
  Conversation,
  ConversationItemsCreateParams,
  ResponseItem,
  ResponseItemList,
  ResponseItemListParams,
} from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { listOf, listReply, pageQuery } from '../../http/list.ts';
import type { JsonReply } from '../../http/reply.ts';
import { projectStores } from '../../media/files/storage.ts';
import { throwConversationNotFound, idInPath } from './conversations.ts';
import { storedInput } from '../../items/stored-input.ts';

/** POST /conversations/{conversation_id}/items: adds all items or none. */
export async function createConversationItems(
  call: Call<ConversationItemsCreateParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseItemList>> {
  const id = idInPath(call);
  const items = await storedInput({ items: call.body.items, path: 'items' }, call, server);
  const added = await projectStores(call, server).conversations.addItems(id, items);
  if (added === 'conversation_not_found') throwConversationNotFound(id);
  if (added === 'duplicate_item') {
    throw invalid('items', "Invalid 'items': the conversation already has an item with one of these IDs. Omit `id`.");
  }
  return { status: 200, body: listOf({ items, hasMore: false }) };
}

/** GET /conversations/{conversation_id}/items */
export async function listConversationItems(
  call: Call<undefined, ResponseItemListParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseItemList>> {
  const id = idInPath(call);
  const query = pageQuery(call.query, 'desc');
  const { conversations } = projectStores(call, server);
  const page = await conversations.items(id, query);
  if (!page && !(await conversations.get(id))) throwConversationNotFound(id);
  return listReply(page, query.after);
}

/** GET /conversations/{conversation_id}/items/{item_id} */
export async function retrieveConversationItem(call: Call, server: ServerContext): Promise<JsonReply<ResponseItem>> {
  const id = idInPath(call);
  const item: ResponseItem | undefined = await projectStores(call, server).conversations.item(id, itemIdOf(call));
  return { status: 200, body: item ?? (await itemNotFound(call, server)) };
}

/** DELETE /conversations/{conversation_id}/items/{item_id}: returns the conversation. */
export async function deleteConversationItem(call: Call, server: ServerContext): Promise<JsonReply<Conversation>> {
  const id = idInPath(call);
  const { conversations } = projectStores(call, server);
  if (!(await conversations.deleteItem(id, itemIdOf(call)))) await itemNotFound(call, server);
  return { status: 200, body: (await conversations.get(id)) ?? throwConversationNotFound(id) };
}

function itemIdOf({ params }: Pick<Call, 'params'>): string {
  return params['item_id'] ?? '';
}

/** @throws a 404 that names the conversation, where that does not exist, or the item. */
async function itemNotFound(call: Call, server: ServerContext): Promise<never> {
  const id = idInPath(call);
  if (!(await projectStores(call, server).conversations.get(id))) throwConversationNotFound(id);
  throw notFound('item', itemIdOf(call), 'item_id');
}
