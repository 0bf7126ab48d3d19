import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeTurn } from '@modelwire/ports/suites/stores';
import { openPlannedStores } from './testing/planned-stores.ts';
import type { PlannedStores } from './testing/planned-stores.ts';

let planned: PlannedStores;
let newest: string;

beforeAll(async () => {
  planned = await openPlannedStores();
  const { responses, conversations } = planned.stores.project('p');
  for (let turn = 0; turn < 300; turn++) {
    await storeTurn(responses, { id: `r${turn}`, previous_response_id: turn % 10 === 0 ? null : `r${turn - 1}` });
  }
  newest = 'r299';
  const conversation = { id: 'conv', object: 'conversation', created_at: 1, metadata: {} } as const;
  await conversations.create(conversation, []);
});

afterAll(() => planned.discard());

/** Rows that the statement itself gives, and results of the recursion, are no tables. */
const scansTable = (plan: string) => /SCAN (?!\d+ CONSTANT|chain|newest|\(subquery|deleted_webhooks$)/.test(plan);

test('every call on responses and conversations searches indexes', async () => {
  const { responses, conversations } = planned.stores.project('p');
  const page = { limit: 5, order: 'desc' } as const;
  const plans = await planned.plansOf(async () => {
    await responses.get(newest);
    await responses.inputItems(newest, page);
    await responses.chain(newest, { maxResponses: 100, maxLength: 1e6 });
    await responses.findItems(['msg_r5', 'msg_r6']);
    await responses.events(newest, { after: -1, limit: 5 });
    await storeTurn(responses, { id: 'new', previous_response_id: newest });
    await responses.delete('new');
    await conversations.addItems('conv', [{ type: 'message', id: 'msg', role: 'user', content: 'Hello' }]);
    await conversations.items('conv', { ...page, after: 'msg' });
    await conversations.item('conv', 'msg');
    await conversations.history('conv', { maxLength: 1000 });
    await conversations.deleteItem('conv', 'msg');
    await planned.stores.removeExpired({ completionsBefore: undefined, responsesBefore: 1, now: 1000, limit: 5 });
  });
  expect(plans.filter(scansTable)).toEqual([]);
});

test('a chain is read by two statements, whatever its length', async () => {
  const { responses } = planned.stores.project('p');
  const plans = await planned.plansOf(() => responses.chain(newest, { maxResponses: 100, maxLength: 1e6 }));
  expect(plans).toHaveLength(2);
});
