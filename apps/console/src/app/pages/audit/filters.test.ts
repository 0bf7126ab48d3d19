import { expect, test } from 'vitest';
import { auditFilters } from './filters.ts';

const none = { type: '', project: '', resource: '', actor: '', start_time: 0, end_time: 0 };

test('empty filters are omitted', () => {
  expect(auditFilters(none)).toEqual({});
});

test('a range of time is passed on', () => {
  expect(auditFilters({ ...none, start_time: 1, end_time: 2 })).toEqual({ start_time: 1, end_time: 2 });
});

test('other filters become lists with one entry', () => {
  expect(
    auditFilters({ ...none, type: 'budget.reset', project: 'shop', actor: 'key_1', resource: 'budget_1' }),
  ).toEqual({
    event_types: ['budget.reset'],
    project_ids: ['shop'],
    actor_ids: ['key_1'],
    resource_ids: ['budget_1'],
  });
});
