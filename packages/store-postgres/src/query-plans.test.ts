import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stores } from '@modelwire/ports';
import { completionRecord } from '@modelwire/ports/suites/stores';
import { openPlannedStores } from './testing/planned-stores.ts';
import type { PlannedStores } from './testing/planned-stores.ts';

let planned: PlannedStores;
let stores: Stores;
let client: pg.Client;

beforeAll(async () => {
  planned = await openPlannedStores();
  const { schema } = planned;
  ({ stores, client } = planned);
  // Copies of the rows of one completion: the planner sees a large table.
  const metadata = { all: 'yes', few: '13' };
  await stores.project('p').completions.append(completionRecord({ id: 'c0', created: 0, metadata }));
  await stores.project('p').completions.append(completionRecord({ id: 'c1', created: 1, metadata: { all: 'yes' } }));
  await client.query(`
    set search_path to ${schema};
    insert into completions (id, project_id, created_at, bytes, metadata, body, messages)
      select 'c' || n, 'p', n, bytes, metadata, body, messages from completions, generate_series(2, 20000) as n where id = 'c1';
    insert into completion_terms (completion_seq, term, created_at)
      select c.seq, t.term, c.created_at from completions as c, completion_terms as t
      where c.created_at > 1 and t.completion_seq = (select seq from completions where id = 'c1');
    insert into completion_summaries (completion_seq, body)
      select c.seq, s.body from completions as c, completion_summaries as s
      where c.created_at > 1 and s.completion_seq = (select seq from completions where id = 'c1');
    insert into idempotency_keys (digest, request_fingerprint, expires_at_ms) select n, '', n from generate_series(1, 20000) as n;
    insert into tombstones (list, id, project_id, created_at, seq, deleted_at)
      select 'completions', 'gone' || n, 'p', n, n, n from generate_series(1, 20000) as n;
    analyze;
    reset search_path`);
});

afterAll(() => stores.close());

const plansOf = (call: () => Promise<unknown>) => planned.plansOf(call);

const filters = {
  none: {},
  model: { model: 'small' },
  'one pair': { metadata: { all: 'yes' } },
  'an hour': { createdFrom: 9000, createdBefore: 12_600 },
  'two pairs and a model': { model: 'small', metadata: { all: 'yes', few: '13' } },
};
const cases = Object.entries(filters).flatMap(([name, filter]) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, 'c10000'].map((after) => ({ name, order, after, query: { ...filter, order, after, limit: 20 } })),
  ),
);

test.each(cases)('a page with filter $name, $order, after $after scans no table', async ({ name, query }) => {
  const seen = await plansOf(() => stores.project('p').completions.list(query));
  for (const plan of seen) {
    expect(plan).not.toContain('Seq Scan on completion');
    // With few rows left, sorting them is not a scan.
    if (name !== 'two pairs and a model') expect(plan).not.toContain('Sort');
  }
  expect(seen.at(-1)).toContain('completion_terms_page');
});

test.each(cases)('summaries with filter $name, $order, after $after scan no table', async ({ query }) => {
  const seen = await plansOf(() => stores.project('p').completions.listSummaries(query));
  for (const plan of seen) expect(plan).not.toContain('Seq Scan on completion');
  expect(seen.at(-1)).toContain('completion_summaries_pkey');
});

test('a page of any other filter uses an index, also with a generic plan', async () => {
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const { query } of cases) {
    const seen = [
      ...(await plansOf(() => stores.project('p').completions.list(query))),
      ...(await plansOf(() => stores.project('p').completions.listSummaries(query))),
    ];
    for (const plan of seen) expect(plan).not.toMatch(/Seq Scan on completion/);
  }
  await client.query('reset plan_cache_mode');
});

test('all other calls use an index', async () => {
  const { completions, idempotency } = stores.project('p');
  const seen = await plansOf(async () => {
    await completions.get('c3');
    await completions.messages('c3', { limit: 1, order: 'asc' });
    await completions.setMetadata('c3', { a: 'b' });
    await completions.delete('c4');
    await completions.append(completionRecord({ id: 'c4', created: 4 }));
    await idempotency.claim({ key: 'k', token: 't', fingerprint: 'f', claimTtlMs: 2 });
    await idempotency.renew({ key: 'k', token: 't' }, 3);
    await idempotency.finish({ key: 'k', token: 't' }, { status: 200, contentType: 'a/b', body: '' }, 3);
    await idempotency.release({ key: 'k', token: 't' });
    await completions.list({ after: 'gone7', limit: 5, order: 'asc' });
    await stores.removeExpired({ completionsBefore: 2, now: 86_402_000, limit: 5 });
  });
  for (const plan of seen) expect(plan).not.toMatch(/Seq Scan on (completion|idempotency_keys|tombstones)/);
});
