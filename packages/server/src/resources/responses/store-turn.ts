import type { ResponseItem, ResponseObject } from '@modelwire/schema/types';
import type { Principal, ProjectStores } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { toStoredItems } from '../../items/stored-items.ts';

interface Turn {
  /** The response as it ended. */
  readonly response: ResponseObject;
  /** The new input, as stored items. */
  readonly input: readonly ResponseItem[];
  /** The conversation of the request. */
  readonly conversation: string | undefined;
}

/** The conversation that a response is appended to: none when it failed or was cancelled. */
export function conversationToExtend({ response, conversation }: Omit<Turn, 'input'>): string | undefined {
  return response.status === 'completed' || response.status === 'incomplete' ? conversation : undefined;
}

/** Stores a response that has ended, as far as `store` allows, and appends it to its conversation. Durable when it resolves. */
export async function storeTurn(
  turn: Turn,
  { responses, conversations }: Pick<ProjectStores, 'responses' | 'conversations'>,
  { storageQuota, createId }: Pick<ServerContext, 'storageQuota' | 'createId'>,
  principal: Principal,
): Promise<void> {
  const { response, input } = turn;
  const conversation = conversationToExtend(turn);
  if (response.store) {
    const record = { response, isStreamed: false, work: undefined, input, conversation };
    await storageQuota.write(principal, (limit) => responses.create(record, limit));
  } else if (conversation !== undefined) {
    const items = [...input, ...response.output];
    const added = await conversations.addItems(conversation, items);
    // The conversation already has items with these IDs: the items are added under new IDs.
    if (added === 'duplicate_item') {
      await conversations.addItems(
        conversation,
        toStoredItems(
          items.map((item) => ({ ...item, id: '' })),
          createId,
        ),
      );
    }
  }
}
