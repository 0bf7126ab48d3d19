import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../audit-store.ts';
import { budgetRecord } from './budgets.ts';
import { hostileTexts } from './completions.ts';
import { keyRecord, projectRecord } from './keys.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

let recordCount = 0;

function entry(init: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `audit_log-suite-${++recordCount}`,
    type: 'project.updated',
    at: 1_700_000_000,
    actor: 'key_1',
    actorName: null,
    project: 'p',
    resource: 'p',
    changes: { name: 'x' },
    ...init,
  };
}

export function describeAudit(open: () => Promise<StoresUnderTest>): void {
  describe('the audit log', () => {
    const { stores } = openStores(open);
    const idsOf = async (query: Partial<Parameters<ReturnType<typeof stores>['audit']['list']>[0]>) =>
      (await stores().audit.list({ limit: 100, ...query }))?.items.map(({ id }) => id);

    test('contains one entry for each change of a key, a project or a budget, newest first', async () => {
      const { keys, budgets, audit } = stores();
      const key = keyRecord({ project: 'p' });
      const budget = budgetRecord({ kind: 'project', id: 'p' });
      const entries = Array.from({ length: 10 }, () => entry());
      const [a, b, c, d, e, f, g, h, i, j] = entries;
      await keys.addProject(projectRecord({ id: 'p' }), a);
      await keys.add(key, b);
      await keys.update(key.id, { name: 'x' }, c);
      await keys.rotate(key.id, { hash: `rotated ${key.id}`, hint: 'mw-', previousValidUntil: 0 }, d);
      await keys.revoke(key.id, 5, e);
      await keys.updateProject('p', { name: 'x' }, f);
      await budgets.add(budget, g);
      await budgets.update(budget.id, { softLimit: 1 }, h);
      await budgets.reset(budget.id, i);
      await budgets.delete(budget.id, j);
      expect((await audit.list({ limit: 100 }))?.items).toEqual(entries.toReversed());
    });

    test('contains nothing of a change that was not made', async () => {
      const before = await idsOf({});
      await stores().keys.update('key_none', { name: 'x' }, entry());
      await stores().keys.revoke('key_none', 5, entry());
      await stores().keys.updateProject('none', { name: 'x' }, entry());
      await stores().keys.addProject(projectRecord({ id: 'p' }), entry());
      await stores().budgets.update('budget_none', { softLimit: 1 }, entry());
      await stores().budgets.delete('budget_none', entry());
      expect(await idsOf({})).toEqual(before);
    });

    test('is read in pages and by filters', async () => {
      const { keys } = stores();
      await keys.addProject(projectRecord({ id: 'q' }));
      const times = [50, 10, 20, 30];
      const [first, ...others] = times.map((at) => entry({ project: 'q', resource: `r ${at}`, actor: null, at }));
      for (const one of [first, ...others]) await keys.updateProject('q', {}, one);
      const ids = [first, ...others].map((one) => one?.id ?? '').toReversed();
      const q = { projects: ['q'] };
      expect(await idsOf(q)).toEqual(ids);
      const page = await stores().audit.list({ ...q, limit: 2 });
      expect(page).toMatchObject({ hasMore: true, items: [{ id: ids[0] }, { id: ids[1] }] });
      expect(await idsOf({ ...q, after: ids[1] })).toEqual(ids.slice(2));
      expect(await stores().audit.list({ limit: 2, after: 'none' })).toBeUndefined();
      expect(await idsOf({ ...q, from: 20, to: 50 })).toEqual(ids.slice(0, 2));
      expect(await idsOf({ ...q, resources: ['r 10'] })).toEqual([ids[2]]);
      expect(await idsOf({ ...q, actors: ['key_1'] })).toEqual([]);
      expect(await idsOf({ ...q, types: ['budget.reset'] })).toEqual([]);
      expect(await idsOf({ ...q, actorNames: [] })).toEqual([]);
      expect(await idsOf({ projects: [] })).toEqual([]);
    });

    test('lists people with their last name, and their entries by ID and by the name at that time', async () => {
      const { keys, audit } = stores();
      await keys.addProject(projectRecord({ id: 'with people' }));
      const entries = [
        entry({ actor: 'user_z', actorName: 'zoe@example.com' }),
        entry({ actor: 'user_a', actorName: 'ada@example.com' }),
        entry({ actor: 'user_z', actorName: 'Zoë' }),
        entry({ actor: 'key_1', actorName: null }),
      ];
      for (const one of entries) await keys.updateProject('with people', {}, one);
      const people = (await audit.listPeople()).filter(({ id }) => ['user_a', 'user_z', 'key_1'].includes(id));
      expect(people).toEqual([
        { id: 'user_a', name: 'ada@example.com' },
        { id: 'user_z', name: 'Zoë' },
      ]);
      const [first, second, third] = entries.map(({ id }) => id);
      expect(await idsOf({ actors: ['user_z'] })).toEqual([third, first]);
      expect(await idsOf({ actorNames: ['zoe@example.com', "' or 1=1 --"] })).toEqual([first]);
      expect(await idsOf({ actorNames: ['Zoë', 'ada@example.com'] })).toEqual([third, second]);
    });

    test('keeps every text unchanged', async () => {
      for (const text of hostileTexts) {
        const one = entry({ actor: text, project: text, resource: text, changes: { name: text } });
        await stores().keys.updateProject('p', {}, one);
        expect((await stores().audit.list({ limit: 1 }))?.items).toEqual([one]);
      }
    });
  });
}
