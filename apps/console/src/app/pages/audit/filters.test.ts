import { expect, test } from 'vitest';
import { auditFilters } from './filters.ts';

const none = { type: '', project: '', resource: '', actor: '', from: '', to: '' };

test('empty filters are omitted', () => {
  expect(auditFilters(none)).toEqual({});
});

test('a range of days includes its last day', () => {
  const { start_time, end_time } = auditFilters({ ...none, from: '2026-11-01', to: '2026-11-02' });
  expect(start_time).toBe(new Date(2026, 10, 1).getTime() / 1000);
  expect(end_time).toBe(new Date(2026, 10, 3).getTime() / 1000);
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
