import { describe, expect, test } from 'vitest';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { assistantMessage, message, storeTurn, storedResponse } from './response-records.ts';

const limits = { maxResponses: 100, maxLength: 1_000_000 };
const page = { limit: 10, order: 'asc' } as const;

export function describeResponses(open: () => Promise<StoresUnderTest>): void {
  describe('one response', () => {
    const { stores, project } = openStores(open);

    test('is returned as it was stored when create resolves', async () => {
      const { responses } = project();
      const { response, input } = await storeTurn(responses);
      expect(await responses.get(response.id)).toEqual({ response, isStreamed: false, work: undefined });
      expect(await responses.inputItems(response.id, page)).toEqual({ items: input, hasMore: false });
      const empty = storedResponse({ output: [] });
      await responses.create({ response: empty, isStreamed: false, work: undefined, input: [] });
      expect((await responses.get(empty.id))?.response).toEqual(empty);
      expect(await responses.inputItems(empty.id, page)).toEqual({ items: [], hasMore: false });
      expect(await responses.chain(empty.id, limits)).toEqual({ status: 'completed', items: [] });
    });

    test('keeps every text unchanged: in IDs, projects and content', async () => {
      for (const text of hostileTexts) {
        const { responses } = stores().project(`of ${text}`);
        const response = storedResponse({ id: `resp ${text}`, output: [assistantMessage(`out ${text}`, text)] });
        const input = [message(`in ${text}`, text)];
        await responses.create({ response, isStreamed: false, work: undefined, input });
        expect((await responses.get(response.id))?.response).toEqual(response);
        expect((await responses.inputItems(response.id, page))?.items).toEqual(input);
        expect(await responses.findItems([`in ${text}`])).toEqual(input);
        expect(await responses.delete(response.id)).toBe(true);
      }
    });

    test('that rejects leaves the existing response unchanged', async () => {
      const { responses } = project();
      const { response, input } = await storeTurn(responses);
      const again = { response: storedResponse({ id: response.id, output: [] }), isStreamed: false, work: undefined };
      await expect(responses.create({ ...again, input: [] })).rejects.toThrow();
      await expect(project().responses.create({ ...again, input: [] })).rejects.toThrow();
      expect((await responses.get(response.id))?.response).toEqual(response);
      expect((await responses.inputItems(response.id, page))?.items).toEqual(input);
    });

    test('does not exist for another project, in any call', async () => {
      const mine = project().responses;
      const other = project();
      const { response, input } = await storeTurn(mine);
      const itemIds = [...input, ...response.output].map(({ id }) => id);
      for (const unknown of [response.id, 'resp_none']) {
        expect(await other.responses.get(unknown)).toBeUndefined();
        expect(await other.responses.inputItems(unknown, page)).toBeUndefined();
        expect(await other.responses.chain(unknown, limits)).toEqual({ failure: 'not_found', id: unknown });
        expect(await other.eventStreams.read(unknown, { after: -1, limit: 5 })).toBeUndefined();
        expect(await other.responses.cancel(unknown)).toBe(false);
        expect(await other.responses.delete(unknown)).toBe(false);
      }
      expect(await other.responses.findItems(itemIds)).toEqual([]);
      const stolen = await storeTurn(other.responses, { previous_response_id: response.id });
      expect(await other.responses.chain(stolen.response.id, limits)).toEqual({
        failure: 'not_found',
        id: response.id,
      });
      expect((await mine.get(response.id))?.response).toEqual(response);
    });

    test('that was deleted is gone with its items', async () => {
      const { responses } = project();
      const { response, input } = await storeTurn(responses);
      expect(await responses.delete(response.id)).toBe(true);
      expect(await responses.delete(response.id)).toBe(false);
      expect(await responses.get(response.id)).toBeUndefined();
      expect(await responses.inputItems(response.id, page)).toBeUndefined();
      expect(await responses.findItems([...input, ...response.output].map(({ id }) => id))).toEqual([]);
    });
  });

  describe('input items of a response', () => {
    const { project } = openStores(open);

    test('are in the order of the request, reversed for desc, page by page', async () => {
      const { responses } = project();
      const response = storedResponse();
      const input = Array.from({ length: 300 }, (_, index) => message(`${response.id}-${index}`, 'x'));
      await responses.create({ response, isStreamed: false, work: undefined, input });
      for (const order of ['asc', 'desc'] as const) {
        const expected = order === 'asc' ? input : input.toReversed();
        const first = await responses.inputItems(response.id, { limit: 200, order });
        expect(first).toEqual({ items: expected.slice(0, 200), hasMore: true });
        const after = first?.items.at(-1)?.id;
        const second = await responses.inputItems(response.id, { limit: 200, order, after });
        expect(second).toEqual({ items: expected.slice(200), hasMore: false });
        const last = await responses.inputItems(response.id, { limit: 2, order, after: second?.items.at(-1)?.id });
        expect(last).toEqual({ items: [], hasMore: false });
      }
      const unknown = { limit: 2, order: 'asc', after: response.output[0]?.id } as const;
      expect(await responses.inputItems(response.id, unknown)).toBeUndefined();
    });
  });

  describe('a chain of responses', () => {
    const { project } = openStores(open);

    test('has the input and output of every turn, oldest first, also where it branches', async () => {
      const { responses } = project();
      const first = await storeTurn(responses);
      const second = await storeTurn(responses, { previous_response_id: first.response.id });
      const branch = await storeTurn(responses, { previous_response_id: first.response.id, status: 'incomplete' });
      const itemsOf = ({ input, response }: typeof first) => [...input, ...response.output];
      expect(await responses.chain(second.response.id, limits)).toEqual({
        status: 'completed',
        items: [...itemsOf(first), ...itemsOf(second)],
      });
      expect(await responses.chain(branch.response.id, limits)).toEqual({
        status: 'incomplete',
        items: [...itemsOf(first), ...itemsOf(branch)],
      });
    });

    test('fails and names the response that was deleted from it', async () => {
      const { responses } = project();
      const first = await storeTurn(responses);
      const second = await storeTurn(responses, { previous_response_id: first.response.id });
      const third = await storeTurn(responses, { previous_response_id: second.response.id });
      await responses.delete(first.response.id);
      expect(await responses.chain(third.response.id, limits)).toEqual({
        failure: 'not_found',
        id: first.response.id,
      });
      await responses.delete(second.response.id);
      expect(await responses.chain(third.response.id, limits)).toEqual({
        failure: 'not_found',
        id: second.response.id,
      });
    });

    test('fails beyond the limits, in responses and in length', async () => {
      const { responses } = project();
      const turns = [await storeTurn(responses)];
      for (let turn = 1; turn < 4; turn++) {
        turns.push(await storeTurn(responses, { previous_response_id: turns.at(-1)?.response.id }));
      }
      const id = turns.at(-1)?.response.id ?? '';
      const all = turns.flatMap(({ input, response }) => [...input, ...response.output]);
      const length = all.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
      expect(await responses.chain(id, { maxResponses: 4, maxLength: length })).toEqual({
        status: 'completed',
        items: all,
      });
      expect(await responses.chain(id, { maxResponses: 3, maxLength: length })).toEqual({ failure: 'too_long' });
      expect(await responses.chain(id, { maxResponses: 4, maxLength: length - 1 })).toEqual({ failure: 'too_long' });
    });

    test('that refers to itself fails instead of running forever', async () => {
      const { responses } = project();
      const { response } = await storeTurn(responses, { id: 'resp_cycle_a', previous_response_id: 'resp_cycle_b' });
      await storeTurn(responses, { id: 'resp_cycle_b', previous_response_id: response.id });
      expect(await responses.chain(response.id, limits)).toEqual({ failure: 'too_long' });
    });
  });

  describe('items by ID', () => {
    const { project } = openStores(open);

    test('are found in inputs, outputs and conversations; of several with one ID the newest', async () => {
      const { responses, conversations } = project();
      const { response, input } = await storeTurn(responses);
      const inConversation = message('msg_conv_item', 'Hello');
      const conversation = { id: 'conv_items', object: 'conversation', created_at: 1, metadata: {} } as const;
      await conversations.create(conversation, [inConversation]);
      const newer = message(input[0]?.id ?? '', 'Edited');
      const again = storedResponse();
      await responses.create({ response: again, isStreamed: false, work: undefined, input: [newer] });
      const ids = [newer.id, response.output[0]?.id ?? '', inConversation.id, 'msg_none'];
      const found = await responses.findItems([...ids, ...ids]);
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining([newer, response.output[0], inConversation]));
      expect(await responses.findItems([])).toEqual([]);
      const many = Array.from({ length: 300 }, (_, index) => message(`msg_many_${index}`, 'Hello'));
      await responses.create({ response: storedResponse(), isStreamed: false, work: undefined, input: many });
      expect(await responses.findItems(many.map(({ id }) => id))).toHaveLength(300);
    });
  });

  describe('expired responses', () => {
    const { stores, project } = openStores(open);

    test('are removed with their whole chain, by the age of its newest response', async () => {
      const { responses } = project();
      const old = await storeTurn(responses, { created_at: 10 });
      const first = await storeTurn(responses, { created_at: 11 });
      const second = await storeTurn(responses, { created_at: 100, previous_response_id: first.response.id });
      const remove = (responsesBefore: number) =>
        stores().removeExpired({ completionsBefore: undefined, responsesBefore, now: 0, limit: 1 });
      expect(await stores().removeExpired({ completionsBefore: undefined, now: 0, limit: 1 })).toBe(0);
      expect(await remove(50)).toBe(1);
      expect(await remove(50)).toBe(0);
      expect(await responses.get(old.response.id)).toBeUndefined();
      expect(await responses.chain(second.response.id, limits)).toMatchObject({ status: 'completed' });
      expect(await remove(101)).toBe(1);
      expect(await remove(101)).toBe(1);
      expect(await remove(101)).toBe(0);
      expect(await responses.get(first.response.id)).toBeUndefined();
      expect(await responses.get(second.response.id)).toBeUndefined();
    });
  });
}
