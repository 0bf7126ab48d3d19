import { describe, expect, test } from 'vitest';
import { storeTurn, streamFailure } from '@modelwire/ports/testing';
import type { OpenPlans } from './planned-stores.ts';

/** The last of a chain of ten. */
const newest = 'r19999';

export function describeResponsePlans(opened: () => OpenPlans): void {
  describe('responses and conversations', () => {
    test('every call uses an index', async () => {
      const { stores, plansOf, scans } = opened();
      const { responses, conversations, eventStreams } = stores.project('p');
      const page = { limit: 5, order: 'desc' } as const;
      const plans = await plansOf(async () => {
        await responses.get(newest);
        await responses.inputItems(newest, page);
        await responses.chain(newest, { maxResponses: 100, maxLength: 1e6 });
        await responses.findItems(['msg_r5', 'msg_r6']);
        await eventStreams.read(newest, { after: -1, limit: 5 });
        await storeTurn(responses, { id: 'new', previous_response_id: newest });
        await responses.delete('new');
        await conversations.addItems('conv7', [{ type: 'message', id: 'msg', role: 'user', content: 'Hello' }]);
        await conversations.items('conv7', { ...page, after: 'msg' });
        await conversations.item('conv7', 'msg');
        await conversations.history('conv7', { maxLength: 1000 });
        await conversations.deleteItem('conv7', 'msg');
        await stores.removeExpired({ completionsBefore: undefined, responsesBefore: 1, now: 1000, limit: 5 });
      });
      expect(plans.flatMap(scans)).toEqual([]);
    });

    test('every call on a stream of events uses an index', async () => {
      const { stores, plansOf, scans } = opened();
      const { idempotency, eventStreams } = stores.project('p');
      const stream = { leaseMs: 1000, keepMs: 1000 };
      const segment = { first: 1, events: ['{}'] };
      const claim = { key: 'streamed', token: 't', fingerprint: 'f', claimTtlMs: 2 };
      const plans = await plansOf(async () => {
        await idempotency.claim({ ...claim, stream: { ...stream, id: 'keyed' } });
        await idempotency.find('streamed', 'f');
        await idempotency.release(claim);
        await eventStreams.create('new', stream);
        await eventStreams.renew('s3', stream);
        await eventStreams.append('s3', segment);
        await eventStreams.follow('s3');
        await eventStreams.read('s3', { after: 0, limit: 5 });
        await eventStreams.endLost('s3', { failure: streamFailure, keepMs: 1 });
        await eventStreams.end('s3', { segment, keepMs: 1 });
        await eventStreams.delete('new');
        await stores.removeExpired({ completionsBefore: undefined, now: 1000, limit: 5 });
      });
      expect(plans.flatMap(scans)).toEqual([]);
    });

    test('a chain is read by two statements, whatever its length', async () => {
      const { stores, plansOf } = opened();
      const plans = await plansOf(() =>
        stores.project('p').responses.chain(newest, { maxResponses: 100, maxLength: 1e6 }),
      );
      expect(plans).toHaveLength(2);
    });
  });
}
