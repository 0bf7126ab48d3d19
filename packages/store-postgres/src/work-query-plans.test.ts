import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobKind, Lease } from '@modelwire/ports';
import { batchRecord, fileRecord, uploadRecord, videoRecord } from '@modelwire/ports/suites/stores';
import { claimAndReleaseJob, prepareWorkCalls, removeDueBytes } from '@modelwire/store-sql/testing';
import { openPlannedStores } from './testing/planned-stores.ts';
import type { PlannedStores } from './testing/planned-stores.ts';

let planned: PlannedStores;
const kinds: readonly JobKind[] = ['batch', 'video'];

beforeAll(async () => {
  planned = await openPlannedStores();
  const { client, schema, stores } = planned;
  const { files, uploads, batches, videos } = stores.project('p');
  const time = { created_at: 0, expires_at: 1000 };
  await stores.ledger.reserve('kept0', 0);
  await files.create(fileRecord({ id: 'f0', ...time }, [{ key: 'kept0', bytes: 1 }]));
  await uploads.create(uploadRecord({ id: 'u0', ...time }));
  await batches.create(batchRecord({ id: 'b0', created_at: 0 }));
  await videos.create(videoRecord({ id: 'v0', ...time }));
  // Copies of the rows of one record: the planner sees large tables.
  const copies = [
    // A hundred are due now, the others in decades.
    `blob_ledger select 'due' || n, n + case when n > 100 then 4000000000000 else 0 end, 0`,
    `segments select 'f' || n, 'file', 0, 'kept' || n, 1`,
    `upload_parts select 'u' || n % 100, 'p' || n, 'part' || n, 1, null, ''`,
    `batch_results select 'b' || n % 4, n / 4, 0, ''`,
    `uploads (id, project_id, status, expires_at, body) select 'u' || n, 'p', 'pending', n + 1000, '{}'`,
    `jobs (id, kind, project_id, due_at_ms) select kind || n, case kind when 'b' then 'batch' else 'video' end, 'p', n
       from (values ('b'), ('v')) as k(kind) cross join generate_series(1, 20000) as n;`,
    // Of these, every hundredth failed.
    `webhook_deliveries (id, webhook_id, event_id, event_type, payload, status, attempts, created_at, next_attempt_at)
       select 'd' || n, 'h' || n % 4, 'e' || n, 't', '{}', case when n % 400 = 0 then 'failed' else 'succeeded' end, '[]', n, null`,
    `files (id, project_id, created_at, purpose, expires_at, body) select 'f' || n, 'p', n, 'batch', n + 1000, '{}'`,
    `batches (id, project_id, created_at, status, completed_lines, failed_lines, job_input, body)
       select 'b' || n, 'p', n, 'in_progress', 0, 0, '{}', '{}'`,
    `videos (id, project_id, created_at, expires_at, job_input, body)
       select 'v' || n, 'p', n, n + 1000, '{}', '{}'`,
  ].map((rows) => `insert into ${rows}${rows.endsWith(';') ? '' : ' from generate_series(1, 20000) as n;'}`);
  await client.query(`set search_path to ${schema}; ${copies.join('\n')} analyze; reset search_path`);
});

afterAll(() => planned.stores.close());

describe.each(['auto', 'force_generic_plan'])('with plan_cache_mode %s', (mode) => {
  beforeAll(async () => {
    await planned.client.query(`set plan_cache_mode = ${mode}`);
  });

  const pages = (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, '9000'].map((after) => ({ order, after, query: { order, limit: 20, now: 0 } })),
  );

  test.each(pages)('a page, $order, after $after scans an index and sorts nothing', async ({ after, query }) => {
    const { files, batches, videos } = planned.stores.project('p');
    const from = (letter: string) => ({ ...query, after: after && `${letter}${after}` });
    const calls: [string, () => Promise<unknown>][] = [
      ['files_page', () => files.list(from('f'))],
      ['files_page_of_purpose', () => files.list({ ...from('f'), purpose: 'batch' })],
      ['batches_page', () => batches.list(from('b'))],
      ['videos_page', () => videos.list(from('v'))],
    ];
    for (const [index, call] of calls) {
      const plan = (await planned.plansOf(call)).at(-1) ?? '';
      expect(plan).toMatch(/Index Scan/);
      expect(plan).toContain(index === 'files_page_of_purpose' ? 'files_page' : `using ${index}`);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
      if (after) expect(plan).toContain('ROW(created_at, seq)');
    }
  });

  test('claiming without a due job reads only the end of an index', async () => {
    const [plan = '', ...more] = await planned.plansOf(() =>
      planned.stores.jobs.claim({ kinds, due: 'urgent', leaseMs: 1000 }),
    );
    expect(more).toEqual([]);
    expect(plan).toMatch(/Index (Only )?Scan using jobs_due/);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });

  test('claiming a job of one kind reads no jobs of other kinds, however many are due', async () => {
    const [plan = ''] = await planned.plansOf(() =>
      planned.stores.jobs.claim({ kinds: ['response'], except: ['busy'], leaseMs: 1000 }),
    );
    expect(plan).toMatch(/Index (Only )?Scan using jobs_due_of_kind/);
    expect(plan).toContain('kind =');
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });

  test('claiming past a backlog of other projects reads the head of an index, then steps from project to project', async () => {
    const { stores } = planned;
    const own = videoRecord({ id: `other ${mode}` });
    await stores.project('q').videos.create(own);
    let lease: Lease | undefined;
    const plans = await planned.plansOf(async () => {
      lease = await stores.jobs.claim({ kinds: ['video'], except: ['p'], leaseMs: 1e12 });
    });
    expect(lease).toMatchObject({ id: own.video.id, project: 'q' });
    const [head = '', ...others] = plans;
    expect(head).toMatch(/Limit .*rows=100 [^]*Index Only Scan using jobs_due/);
    expect(others.map((plan) => [...new Set(plan.match(/jobs_due\w*/g))])).toEqual([
      ['jobs_due_of_project'],
      ['jobs_due_of_project'],
    ]);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan/);
  });

  test('deliveries of one status are read from an index', async () => {
    const [plan = ''] = await planned.plansOf(() =>
      planned.stores.webhooks.deliveries({ webhook: 'h0', status: 'failed', limit: 20 }),
    );
    expect(plan).toContain('webhook_deliveries_of_status');
    expect(plan).not.toMatch(/Seq Scan/);
  });

  test('claiming and releasing a job use an index', async () => {
    const plans = await planned.plansOf(() => claimAndReleaseJob(planned.stores));
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Sort/);
    expect(plans[1]).toMatch(/jobs_due/);
  });

  test('due bytes are read from an index, oldest first', async () => {
    const plans = await planned.plansOf(() => removeDueBytes(planned.stores, 'due2000'));
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan/);
    expect(plans.slice(0, 2).join('\n')).toMatch(/using blob_ledger_due[^]*using blob_ledger_due/);
  });

  test('all other calls use an index', async () => {
    const isFirst = mode === 'auto';
    const existing = { run: mode, file: isFirst ? 'f4' : 'f5', upload: isFirst ? 'u9' : 'u8' };
    await planned.stores.project('p').videos.create(videoRecord({ created_at: -1 }));
    const callWork = await prepareWorkCalls(planned.stores, existing);
    const plans = await planned.plansOf(async () => {
      await callWork();
      await planned.stores.project('p').batches.linesWithResults('b1');
    });
    // PostgreSQL scans tables that are empty or have a single page; responses, reservations, sessions and deleted webhooks are empty
    // here, and have indexes.
    for (const plan of plans)
      expect(plan).not.toMatch(
        /Seq Scan on (?!completions|responses|response_items|idempotency_keys|tombstones|budget_reservations|console_sessions|webhook|deleted_webhooks)/,
      );
  });
});
