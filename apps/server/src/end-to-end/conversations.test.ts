import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { startWithTwoProjects } from '../testing/test-server.ts';

const { client, other } = await startWithTwoProjects();

const user = (content: string) => ({ role: 'user', content }) as const;

describe('conversations with the official client', () => {
  test('are created, retrieved, updated and deleted', async () => {
    const created = await client.conversations.create({ metadata: { topic: 'rivers' } });
    expect(created).toMatchObject({ object: 'conversation', metadata: { topic: 'rivers' } });
    expect(created.id).toMatch(/^conv_/);
    expect(await client.conversations.retrieve(created.id)).toEqual(created);
    const updated = await client.conversations.update(created.id, { metadata: { topic: 'lakes' } });
    expect(updated).toEqual({ ...created, metadata: { topic: 'lakes' } });
    expect(await client.conversations.delete(created.id)).toEqual({
      id: created.id,
      object: 'conversation.deleted',
      deleted: true,
    });
    await expect(client.conversations.retrieve(created.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('return each item with an ID, a status and its text as content parts', async () => {
    const { id } = await client.conversations.create({ items: [user('Hello')] });
    const added = await client.conversations.items.create(id, {
      items: [
        { role: 'assistant', content: 'Hi' },
        { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'nothing' },
      ],
    });
    expect(added).toMatchObject({ object: 'list', has_more: false });
    expect(added.data).toMatchObject([
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'call_1', status: 'completed' },
      { type: 'function_call_output', output: 'nothing' },
    ]);
    const all = await Array.fromAsync(client.conversations.items.list(id, { order: 'asc', limit: 2 }));
    expect(all[0]).toMatchObject({ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] });
    expect(all.slice(1)).toEqual(added.data);
    const newest = await client.conversations.items.list(id, { limit: 1 });
    expect(newest.data).toEqual(added.data.slice(-1));
  });

  test('retrieve and delete one item; a page continues after an item that was deleted', async () => {
    const { id } = await client.conversations.create({ items: ['a', 'b', 'c'].map(user) });
    const { data } = await client.conversations.items.list(id, { order: 'asc' });
    const second = data[1]?.id ?? '';
    expect(await client.conversations.items.retrieve(second, { conversation_id: id })).toEqual(data[1]);
    const rest = await client.conversations.items.delete(second, { conversation_id: id });
    expect(rest).toMatchObject({ id, object: 'conversation' });
    await expect(client.conversations.items.retrieve(second, { conversation_id: id })).rejects.toMatchObject({
      status: 404,
      param: 'item_id',
    });
    const after = await client.conversations.items.list(id, { order: 'asc', after: second });
    expect(after.data).toEqual(data.slice(2));
  });

  test('resolve references to items of other conversations', async () => {
    const first = await client.conversations.create({ items: [user('Hello')] });
    const [item] = (await client.conversations.items.list(first.id)).data;
    const second = await client.conversations.create({ items: [{ type: 'item_reference', id: item?.id ?? '' }] });
    expect((await client.conversations.items.list(second.id)).data).toEqual([item]);
  });
});

describe('a request about conversations is refused', () => {
  test('with 404 for every ID of another project, which reveals nothing', async () => {
    const { id } = await client.conversations.create({ items: [user('secret')] });
    const [item] = (await client.conversations.items.list(id)).data;
    const item_id = item?.id ?? '';
    const attempts = (conversation: string, itemId: string) => [
      () => other.conversations.retrieve(conversation),
      () => other.conversations.update(conversation, { metadata: { stolen: 'yes' } }),
      () => other.conversations.delete(conversation),
      () => other.conversations.items.list(conversation),
      () => other.conversations.items.create(conversation, { items: [user('intruder')] }),
      () => other.conversations.items.retrieve(itemId, { conversation_id: conversation }),
      () => other.conversations.items.delete(itemId, { conversation_id: conversation }),
      () => other.conversations.create({ items: [{ type: 'item_reference', id: itemId }] }),
    ];
    const messageOf = async (attempt: () => Promise<unknown>) => {
      const error = await attempt().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof OpenAI.APIError)) throw new Error('it was not refused');
      expect(error.status).toBe(404);
      return error.message;
    };
    const unknown = attempts('conv_none', 'msg_none');
    for (const [index, attempt] of attempts(id, item_id).entries()) {
      const like = (await messageOf(unknown[index] ?? attempt)).replace('conv_none', id).replace('msg_none', item_id);
      expect(await messageOf(attempt)).toBe(like);
    }
    expect((await client.conversations.items.list(id)).data).toEqual([item]);
    expect((await client.conversations.retrieve(id)).metadata).toEqual({});
  });

  test('for more than 20 items, items without content, a duplicate ID and an unknown `after`', async () => {
    const { id } = await client.conversations.create();
    const items = Array.from({ length: 21 }, () => user('x'));
    await expect(client.conversations.create({ items })).rejects.toMatchObject({
      status: 400,
      code: 'array_above_max_length',
      param: 'items',
    });
    // @ts-expect-error: an item without content.
    const broken: OpenAI.Responses.ResponseInputItem = { role: 'user' };
    await expect(client.conversations.items.create(id, { items: [broken] })).rejects.toMatchObject({
      status: 400,
      param: 'items[0].content',
    });
    const message = { type: 'message', id: 'msg_twice', role: 'user', content: 'Hello' } as const;
    await client.conversations.items.create(id, { items: [message] });
    await expect(client.conversations.items.create(id, { items: [message] })).rejects.toMatchObject({
      status: 400,
      param: 'items',
    });
    const both = await client.conversations.create({ items: [message, message] });
    const ids = (await client.conversations.items.list(both.id)).data.map((item) => item.id);
    expect(new Set(ids).size).toBe(2);
    await expect(client.conversations.items.list(id, { after: 'msg_none' })).rejects.toMatchObject({
      status: 400,
      param: 'after',
    });
  });
});
