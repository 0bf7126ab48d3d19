import { describe, expect, test } from 'vitest';
import type { ConversationStore, StoredConversation } from '../../conversation-store.ts';
import type { StoredItem } from '../../response-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { message, storedResponse } from './response-records.ts';

const all = { limit: 1000, order: 'asc' } as const;
let recordCount = 0;

export function describeConversations(open: () => Promise<StoresUnderTest>): void {
  describe('a conversation', () => {
    const { project } = openStores(open);

    test('is returned as it was stored, with its items', async () => {
      const { conversations } = project();
      const items = messages(3);
      const conversation = await create(conversations, items, { topic: 'bread \0' });
      expect(await conversations.get(conversation.id)).toEqual(conversation);
      expect(await conversations.items(conversation.id, all)).toEqual({ items, hasMore: false });
      expect(await conversations.item(conversation.id, items[1]?.id ?? '')).toEqual(items[1]);
      expect(await conversations.history(conversation.id, { maxLength: 10_000 })).toEqual(items);
      expect(await conversations.history(conversation.id, { maxLength: 10 })).toBe('too_long');
    });

    test('has its metadata replaced', async () => {
      const { conversations } = project();
      const conversation = await create(conversations, [], { a: '1' });
      const expected = { ...conversation, metadata: { b: '2' } };
      expect(await conversations.setMetadata(conversation.id, { b: '2' })).toEqual(expected);
      expect(await conversations.get(conversation.id)).toEqual(expected);
    });

    test('does not exist for another project, in any call', async () => {
      const mine = project().conversations;
      const other = project();
      const [item, ...others] = messages(2);
      const conversation = await create(mine, item ? [item] : []);
      const itemId = item?.id ?? '';
      for (const unknown of [conversation.id, 'conv_none']) {
        expect(await other.conversations.get(unknown)).toBeUndefined();
        expect(await other.conversations.setMetadata(unknown, { stolen: 'yes' })).toBeUndefined();
        expect(await other.conversations.items(unknown, all)).toBeUndefined();
        expect(await other.conversations.item(unknown, itemId)).toBeUndefined();
        expect(await other.conversations.history(unknown, { maxLength: 1000 })).toBeUndefined();
        expect(await other.conversations.addItems(unknown, others)).toBe('conversation_not_found');
        expect(await other.conversations.deleteItem(unknown, itemId)).toBe(false);
        expect(await other.conversations.delete(unknown)).toBe(false);
      }
      const turn = { response: storedResponse(), isStreamed: false, work: undefined, input: others };
      await other.responses.create({ ...turn, conversation: conversation.id });
      expect(await mine.get(conversation.id)).toEqual(conversation);
      expect((await mine.items(conversation.id, all))?.items).toEqual([item]);
    });

    test('is deleted with its items', async () => {
      const { conversations, responses } = project();
      const [item] = messages(1);
      const conversation = await create(conversations, item ? [item] : []);
      expect(await conversations.delete(conversation.id)).toBe(true);
      expect(await conversations.delete(conversation.id)).toBe(false);
      expect(await conversations.items(conversation.id, all)).toBeUndefined();
      expect(await responses.findItems([item?.id ?? ''])).toEqual([]);
    });
  });

  describe('items of a conversation', () => {
    const { project } = openStores(open);

    test('are in the order they were appended, reversed for desc, page by page, also after a deleted one', async () => {
      const { conversations } = project();
      const items = messages(5);
      const { id } = await create(conversations, items.slice(0, 2));
      expect(await conversations.addItems(id, items.slice(2))).toBe('added');
      for (const order of ['asc', 'desc'] as const) {
        const expected = order === 'asc' ? items : items.toReversed();
        const first = await conversations.items(id, { limit: 2, order });
        expect(first).toEqual({ items: expected.slice(0, 2), hasMore: true });
        const after = first?.items.at(-1)?.id;
        expect(await conversations.items(id, { limit: 3, order, after })).toEqual({
          items: expected.slice(2),
          hasMore: false,
        });
      }
      const third = items[2]?.id ?? '';
      expect(await conversations.deleteItem(id, third)).toBe(true);
      expect(await conversations.deleteItem(id, third)).toBe(false);
      expect(await conversations.item(id, third)).toBeUndefined();
      const after = await conversations.items(id, { ...all, after: third });
      expect(after?.items).toEqual(items.slice(3));
      expect(await conversations.items(id, { ...all, after: 'msg_none' })).toBeUndefined();
    });

    test('are added all or none: an ID may occur once', async () => {
      const { conversations } = project();
      const items = messages(3);
      const { id } = await create(conversations, items.slice(0, 1));
      expect(await conversations.addItems(id, [...items.slice(1), ...items.slice(0, 1)])).toBe('duplicate_item');
      expect((await conversations.items(id, all))?.items).toEqual(items.slice(0, 1));
      expect(await conversations.addItems(id, items.slice(1))).toBe('added');
      expect((await conversations.items(id, all))?.items).toEqual(items);
    });

    test('of turns that are appended concurrently do not interleave', async () => {
      const { conversations } = project();
      const { id } = await create(conversations, []);
      const turns = Array.from({ length: 8 }, () => messages(20));
      await Promise.all(turns.map((turn) => conversations.addItems(id, turn)));
      const found = (await conversations.items(id, all))?.items ?? [];
      expect(found).toHaveLength(160);
      for (let from = 0; from < 160; from += 20) {
        const turn = found.slice(from, from + 20);
        expect(turns).toContainEqual(turn);
      }
    });

    test('of a turn are appended with its response; those that it already has are not added again', async () => {
      const { conversations, responses } = project();
      const [known, added] = messages(2);
      const { id } = await create(conversations, known ? [known] : []);
      const response = storedResponse();
      const input = [known, added].flatMap((item) => (item ? [item] : []));
      await responses.create({ response, isStreamed: false, work: undefined, input, conversation: id });
      expect((await conversations.items(id, all))?.items).toEqual([known, added, ...response.output]);
      expect((await responses.inputItems(response.id, all))?.items).toEqual(input);
    });
  });
}

function messages(count: number): StoredItem[] {
  return Array.from({ length: count }, () => message(`msg_conv${++recordCount}`, `Text ${recordCount}`));
}

async function create(
  conversations: ConversationStore,
  items: readonly StoredItem[],
  metadata: Record<string, string> = {},
): Promise<StoredConversation> {
  const conversation: StoredConversation = {
    id: `conv_suite${++recordCount}`,
    object: 'conversation',
    created_at: 1_700_000_000,
    metadata,
  };
  await conversations.create(conversation, items);
  return conversation;
}
