import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '@modelwire/ports';
import { completionRecord } from '@modelwire/ports/suites/stores';
import { openPlannedStores } from './testing/planned-stores.ts';
import type { PlannedStores } from './testing/planned-stores.ts';

let planned: PlannedStores;
let stores: Stores;

beforeAll(async () => {
  planned = await openPlannedStores();
  ({ stores } = planned);
  for (let index = 0; index < 300; index++) {
    const metadata = { all: 'yes', some: String(index % 10), few: String(index % 100) };
    await stores.project('p').completions.append(completionRecord({ id: `c${index}`, created: index, metadata }));
    await stores.project('p').idempotency.claim({ key: `k${index}`, token: 't', fingerprint: '', claimTtlMs: 1 });
  }
});

afterAll(() => planned.discard());

describe.each(['with no statistics', 'with statistics'])('%s', (which) => {
  beforeAll(() => {
    if (which === 'with statistics') planned.db.exec('analyze');
  });

  const filters = {
    none: {},
    model: { model: 'small' },
    'one pair': { metadata: { all: 'yes' } },
    'an hour': { createdFrom: 100, createdBefore: 200 },
    'three pairs and a model': { model: 'small', metadata: { all: 'yes', some: '3', few: '13' } },
  };
  const cases = Object.entries(filters).flatMap(([name, filter]) =>
    (['asc', 'desc'] as const).flatMap((order) =>
      [undefined, 'c150'].map((after) => ({ name, order, after, query: { ...filter, order, after, limit: 20 } })),
    ),
  );

  test.each(cases)(
    'a page with filter $name, $order, after $after scans an index and sorts nothing',
    async ({ query }) => {
      const { completions } = stores.project('p');
      const plans = await planned.plansOf(() => completions.list(query));
      const seen = plans.at(-1) ?? '';
      // Terms are counted first, also with the index; "some" are the counted entries.
      for (const plan of plans) expect(plan).not.toMatch(/SCAN (?!some|CONSTANT)|TEMP B-TREE/);
      const hasTime = 'createdFrom' in query;
      const start =
        query.after || hasTime ? ` AND (created_at,completion_seq)${query.order === 'asc' ? '>' : '<'}(?,?)` : '';
      const end = hasTime ? ` AND created_at${query.order === 'asc' ? '<' : '>'}?` : '';
      // The lower bound is first.
      const range = query.order === 'asc' ? `${start}${end}` : `${end}${start}`;
      expect(seen.split('\n')[0]).toContain(`INDEX completion_terms_page (term=?${range})`);
    },
  );

  test.each(cases)(
    'summaries with filter $name, $order, after $after are looked up by their key',
    async ({ query }) => {
      const plans = await planned.plansOf(() => stores.project('p').completions.listSummaries(query));
      for (const plan of plans) expect(plan).not.toMatch(/SCAN (?!some|CONSTANT)|TEMP B-TREE/);
      expect(plans.at(-1)).toMatch(/SEARCH completion_summaries USING INTEGER PRIMARY KEY/);
    },
  );

  test('scans the rarest of several terms', async () => {
    const { completions } = stores.project('p');
    const scannedEntries = async (metadata: Record<string, string>, model?: string) => {
      await completions.list({ limit: 1, order: 'asc', metadata, model });
      return planned.last()?.parameters[0];
    };
    const few = await scannedEntries({ few: '13' });
    expect(await scannedEntries({ all: 'yes', some: '3', few: '13' }, 'small')).toBe(few);
    expect(await scannedEntries({ few: '13', some: '3', all: 'yes' })).toBe(few);
  });

  test('all other calls use an index', async () => {
    const { completions, idempotency } = stores.project('p');
    const answer = { status: 200, contentType: 'a/b', body: '' };
    const seen = await planned.plansOf(async () => {
      await completions.get('c1');
      await completions.messages('c1', { limit: 1, order: 'asc' });
      await completions.setMetadata('c1', { a: 'b' });
      await completions.delete('c2');
      await completions.append(completionRecord({ id: 'c2', created: 2 }));
      await stores.keys.findByHash('h');
      await stores.keys.list('p');
      await stores.keys.revoke('k', 1);
      await stores.usage.read({ from: 1, to: 2 });
      await idempotency.claim({ key: 'k', token: 't', fingerprint: 'f', claimTtlMs: 2 });
      await idempotency.renew({ key: 'k', token: 't' }, 3);
      await idempotency.finish({ key: 'k', token: 't' }, answer, 3);
      await idempotency.release({ key: 'k', token: 't' });
      await stores.removeExpired({ completionsBefore: -1, now: 0, limit: 5 });
    });
    // Rows that were passed to the statement are not a table.
    const walksAll = /SCAN (?!given|\d* ?CONSTANT|deleted_webhooks$)|TEMP B-TREE/;
    expect(seen.filter((plan) => walksAll.test(plan))).toEqual([]);
  });
});
