import type {
  Conversation,
  ConversationCreateParams,
  ConversationDeleted,
  ConversationUpdateParams,
} from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { notFoundThrower } from '../../errors.ts';
import type { JsonReply } from '../../http/reply.ts';
import { nowInSeconds } from '../../clock.ts';
import { projectStores } from '../../media/files/storage.ts';
import { storedInput } from '../../items/stored-input.ts';

/** POST /conversations */
export async function createConversation(
  call: Call<ConversationCreateParams>,
  server: ServerContext,
): Promise<JsonReply<Conversation>> {
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
}

/** GET /conversations/{conversation_id} */
export async function retrieveConversation(call: Call, server: ServerContext): Promise<JsonReply<Conversation>> {
  const id = idInPath(call);
  return {
    status: 200,
    body: (await projectStores(call, server).conversations.get(id)) ?? throwConversationNotFound(id),
  };
}

/** POST /conversations/{conversation_id} */
export async function updateConversation(
  call: Call<ConversationUpdateParams>,
  server: ServerContext,
): Promise<JsonReply<Conversation>> {
  const id = idInPath(call);
  const updated = await projectStores(call, server).conversations.setMetadata(id, call.body.metadata);
  return { status: 200, body: updated ?? throwConversationNotFound(id) };
}

/** DELETE /conversations/{conversation_id}: with its items. */
export async function deleteConversation(call: Call, server: ServerContext): Promise<JsonReply<ConversationDeleted>> {
  const id = idInPath(call);
  if (!(await projectStores(call, server).conversations.delete(id))) throwConversationNotFound(id);
  return { status: 200, body: { id, object: 'conversation.deleted', deleted: true } };
}

export function idInPath({ params }: Pick<Call, 'params'>): string {
  return params['conversation_id'] ?? '';
}

/** Does not exist or belongs to another project; the error does not reveal which. */
export const throwConversationNotFound = notFoundThrower('conversation', 'conversation_id');
