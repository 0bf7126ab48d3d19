import { describe, expect, test } from 'vitest';
import type { Lease } from '../../job-store.ts';
import type { StoredResponse } from '../../response-store.ts';
import type { ProjectStores, Stores } from '../../stores.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { assistantMessage, message, storedResponse } from './response-records.ts';
import { requestTrace } from './work-records.ts';

const longLeaseMs = 1_000_000_000;
const work = { keyId: 'key_1', request: '{"model":"small"}', ...requestTrace };
const segment = (first: number, count = 1) => ({
  first,
  events: Array.from({ length: count }, (_, index) => `{"sequence_number":${first + index}}`),
});
const allEvents = { after: -1, limit: 9 };

export function describeBackgroundResponses(open: () => Promise<StoresUnderTest>): void {
  describe('a background response', () => {
    const { stores, project } = openStores(open);

    test('has a job that is due immediately, and keeps its request until it ends', async () => {
      const { responses, eventStreams } = project();
      const { response, lease } = await startResponse(stores(), { responses });
      expect(await responses.get(response.id)).toEqual({ response, isStreamed: true, work });
      const running: StoredResponse = { ...response, status: 'in_progress' };
      expect(await responses.update(running, { lease, segment: segment(0, 2) })).toBe(true);
      expect(await responses.get(response.id)).toEqual({ response: running, isStreamed: true, work });
      const ended: StoredResponse = { ...response, status: 'completed', output: [assistantMessage('msg_1', 'Hi')] };
      expect(await responses.end(ended, { lease, segment: segment(2) })).toBe(true);
      expect(await responses.get(response.id)).toEqual({ response: ended, isStreamed: true, work: undefined });
      const stream = await eventStreams.read(response.id, allEvents);
      expect(stream).toMatchObject({ status: 'ended', segments: [segment(0, 2), segment(2)] });
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(false);
      const chain = await responses.chain(response.id, { maxResponses: 5, maxLength: 1000 });
      expect(chain).toMatchObject({
        status: 'completed',
        items: [{ content: 'Hello' }, { content: [{ text: 'Hi' }] }],
      });
    });

    test('ignores a worker that lost its lease', async () => {
      const { responses, eventStreams } = project();
      const { response, lease } = await startResponse(stores(), { responses });
      const lost = { ...lease, token: 'another' };
      expect(await responses.update({ ...response, status: 'in_progress' }, { lease: lost, segment: segment(0) })).toBe(
        false,
      );
      expect(await responses.end({ ...response, status: 'completed' }, { lease: lost, segment: segment(0) })).toBe(
        false,
      );
      expect((await responses.get(response.id))?.response.status).toBe('queued');
      expect(await eventStreams.read(response.id, allEvents)).toMatchObject({ status: 'open', segments: [] });
      expect(await responses.cancel(response.id)).toBe(true);
      expect(await eventStreams.read(response.id, allEvents)).toMatchObject({ status: 'ended', segments: [] });
    });

    test('is cancelled once, with its job; its worker cannot write any more', async () => {
      const { responses } = project();
      const { response, lease } = await startResponse(stores(), { responses });
      await responses.update({ ...response, status: 'in_progress' }, { lease, segment: segment(0) });
      const outcomes = await Promise.all([responses.cancel(response.id), responses.cancel(response.id)]);
      expect(outcomes.toSorted()).toEqual([false, true]);
      expect(await responses.end({ ...response, status: 'completed' }, { lease })).toBe(false);
      expect(await responses.get(response.id)).toEqual({
        response: { ...response, status: 'cancelled' },
        isStreamed: true,
        work: undefined,
      });
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(false);
    });

    test('that is deleted takes its job with it', async () => {
      const { responses, eventStreams } = project();
      const { response, lease } = await startResponse(stores(), { responses });
      await responses.update({ ...response, status: 'in_progress' }, { lease, segment: segment(0) });
      expect(await responses.delete(response.id)).toBe(true);
      expect(await eventStreams.read(response.id, allEvents)).toBeUndefined();
      expect(await responses.end({ ...response, status: 'completed' }, { lease })).toBe(false);
      expect(await responses.get(response.id)).toBeUndefined();
    });

    test('appends its turn to the conversation when it ends', async () => {
      const { responses, conversations } = project();
      const conversation = { id: 'conv_background', object: 'conversation', created_at: 1, metadata: {} } as const;
      await conversations.create(conversation, []);
      const { response, lease } = await startResponse(stores(), { responses });
      const output = [assistantMessage('msg_end', 'Hi')];
      const ended: StoredResponse = { ...response, status: 'completed', output };
      await responses.end(ended, { lease, conversation: conversation.id });
      const items = await conversations.items(conversation.id, { limit: 9, order: 'asc' });
      expect(items?.items).toMatchObject([{ content: 'Hello' }, { content: [{ text: 'Hi' }] }]);
    });

    test('does not expire while it is queued', async () => {
      const { responses } = project();
      const { response } = await startResponse(stores(), { responses });
      const expire = { completionsBefore: undefined, responsesBefore: 2_000_000_000, now: 0, limit: 100 };
      await stores().removeExpired(expire);
      expect((await responses.get(response.id))?.response.status).toBe('queued');
      await responses.cancel(response.id);
      expect(await stores().removeExpired(expire)).toBe(1);
      expect(await responses.get(response.id)).toBeUndefined();
    });
  });
}

/** A queued background response whose job was claimed. */
async function startResponse(
  stores: Stores,
  { responses }: Pick<ProjectStores, 'responses'>,
): Promise<{ readonly response: StoredResponse; readonly lease: Lease }> {
  const response = storedResponse({ status: 'queued', output: [] });
  const input = [message(`msg_in_${response.id}`, 'Hello')];
  await responses.create({ response, isStreamed: true, work, input });
  const lease = await stores.jobs.claim({ kinds: ['response'], leaseMs: longLeaseMs });
  if (lease?.id !== response.id) throw new Error('the job of the response was not due');
  return { response, lease };
}
