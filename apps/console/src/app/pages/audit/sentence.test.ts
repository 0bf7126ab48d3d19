import type { AuditLog } from '@modelwire/client';
import { expect, test } from 'vitest';
import { changedFields, sentenceOf } from './sentence.ts';

const known: Readonly<Record<string, string>> = { key_1: 'Ana', key_2: 'ci', proj_1: 'Shop', webhook_1: 'Alerts' };
const names = {
  nameOf: (id: string) => known[id] ?? id,
  budgetOf: (id: string) =>
    id === 'budget_1' ? ({ id, subject: 'proj_1', unit: 'cost', period: 'month' } as const) : undefined,
};

const ofPerson = {
  type: 'session',
  api_key: null,
  session: { user: { id: 'user_1', name: 'ada@example.com' } },
} as const;

const entryOf = (changes: Partial<AuditLog>): AuditLog => ({
  id: 'audit_1',
  object: 'organization.audit_log',
  type: 'project.updated',
  effective_at: 1,
  actor: { type: 'api_key', api_key: { id: 'key_1' }, session: null },
  project: { id: 'proj_1' },
  resource_id: 'proj_1',
  changes: {},
  ...changes,
});

const textOf = (changes: Partial<AuditLog>): string =>
  sentenceOf(entryOf(changes), names)
    .map(({ text }) => text)
    .join('');

test.each<[Partial<AuditLog>, string]>([
  [{ type: 'api_key.created', resource_id: 'key_2' }, 'Ana created the key ci in the project Shop'],
  [{ type: 'api_key.rotated', resource_id: 'key_2' }, 'Ana replaced the secret of the key ci in the project Shop'],
  [{ type: 'api_key.deleted', resource_id: 'key_2' }, 'Ana revoked the key ci in the project Shop'],
  [{ type: 'project.archived' }, 'Ana archived the project Shop'],
  [{ type: 'webhook.created', resource_id: 'webhook_1', project: null }, 'Ana created the webhook Alerts'],
  [{ type: 'webhook.deleted', resource_id: 'webhook_2', project: null }, 'Ana deleted the webhook webhook_2'],
  [{ type: 'budget.reset', resource_id: 'budget_1' }, 'Ana reset the monthly cost budget of Shop'],
  [{ type: 'budget.deleted', resource_id: 'budget_2' }, 'Ana deleted a budget of Shop'],
  [
    {
      type: 'budget.created',
      resource_id: 'budget_2',
      changes: { api_key_id: 'key_2', unit: 'tokens', period: 'day' },
    },
    'Ana created the daily tokens budget of ci',
  ],
  [
    { type: 'login.succeeded', actor: ofPerson, resource_id: 'user_1' },
    'ada@example.com signed in to the project Shop',
  ],
  [
    { type: 'api_key.created', actor: ofPerson, resource_id: 'key_2' },
    'ada@example.com created the key ci in the project Shop',
  ],
  [{ actor: { type: 'system', api_key: null, session: null } }, 'A command on the server changed the project Shop'],
  [
    { type: 'certificate.activated', resource_id: 'cert_1' },
    'Ana activated the certificate cert_1 in the project Shop',
  ],
])('%o is "%s"', (changes, text) => {
  expect(textOf(changes)).toBe(text);
});

test('the fields that were set are listed, costs in their currency, without what the sentence says', () => {
  const project = { name: 'Shop', requests_per_minute: 1300, tokens_per_minute: null, allowed_models: ['a', 'b'] };
  const text = 'requests per minute: 1,300, tokens per minute: none, allowed models: a, b';
  expect(changedFields(entryOf({ changes: project }), names, 'eur')).toBe(`name: Shop, ${text}`);
  expect(changedFields(entryOf({ type: 'project.created', changes: project }), names, 'eur')).toBe(text);
  const budget = entryOf({ type: 'budget.updated', resource_id: 'budget_1', changes: { hard_limit: 5_500_000 } });
  expect(changedFields(budget, names, 'eur')).toBe('hard limit: €5.50');
});
