import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobKind, Lease } from '@modelwire/ports';
import { batchRecord, fileRecord, uploadRecord, videoRecord } from '@modelwire/ports/suites/stores';
import { claimAndReleaseJob, prepareWorkCalls, removeDueBytes } from '@modelwire/store-sql/testing';
import { openPlannedStores } from './testing/planned-stores.ts';
import type { PlannedStores } from './testing/planned-stores.ts';

let planned: PlannedStores;
const kinds: readonly JobKind[] = ['batch', 'video'];
const rows = 300;

beforeAll(async () => {
  planned = await openPlannedStores();
  const { ledger, ...stores } = planned.stores;
  const { files, uploads, batches, videos } = stores.project('p');
  for (let index = 0; index < rows; index++) {
    const time = { created_at: index, expires_at: index + 1000 };
    await ledger.reserve(`kept${index}`, index);
    await ledger.reserve(`due${index}`, index);
    await files.create(fileRecord({ id: `f${index}`, ...time }, [{ key: `kept${index}`, bytes: 1 }]));
    await uploads.create(uploadRecord({ id: `u${index}`, ...time }));
    await batches.create(batchRecord({ id: `b${index}`, created_at: index }));
    await videos.create(videoRecord({ id: `v${index}`, ...time }));
  }
});

afterAll(() => planned.discard());

/** Rows that were passed to the statement are not a table. There are few webhooks, and no index could select those of an event. */
const walksAll = (plan: string) => /SCAN (?!\d+ CONSTANT|webhooks$|deleted_webhooks$)|TEMP B-TREE/.test(plan);

/** How a plan reads tables. */
const searchesOf = (plan = ''): readonly string[] => plan.split('\n').filter((line) => line.startsWith('SEARCH'));

describe.each(['with no statistics', 'with statistics'])('%s', (which) => {
  beforeAll(() => {
    if (which === 'with statistics') planned.db.exec('analyze');
  });

  const pages = (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, '150'].map((after) => ({ order, after, query: { order, limit: 20, now: 0 } })),
  );

  test.each(pages)('a page, $order, after $after scans an index and sorts nothing', async ({ after, query }) => {
    const { files, batches, videos } = planned.stores.project('p');
    const from = (letter: string) => ({ ...query, after: after && `${letter}${after}` });
    // Sorted by time alone, because seq is the rowid: rows of the same second are few and are skipped in the index.
    const range = after ? ` AND created_at${query.order === 'asc' ? '>' : '<'}?)` : ')';
    const lastOf = async (call: () => Promise<unknown>) => (await planned.plansOf(call)).at(-1);
    expect(await lastOf(() => files.list(from('f')))).toBe(`SEARCH files USING INDEX files_page (project_id=?${range}`);
    expect(await lastOf(() => files.list({ ...from('f'), purpose: 'batch' }))).toBe(
      `SEARCH files USING INDEX files_page_of_purpose (project_id=? AND purpose=?${range}`,
    );
    expect(await lastOf(() => batches.list(from('b')))).toBe(
      `SEARCH batches USING INDEX batches_page (project_id=?${range}`,
    );
    expect(await lastOf(() => videos.list(from('v')))).toBe(
      `SEARCH videos USING INDEX videos_page (project_id=?${range}`,
    );
  });

  test('claiming without a due job reads only the end of an index', async () => {
    const plans = await planned.plansOf(() => planned.stores.jobs.claim({ kinds, due: 'urgent', leaseMs: 1000 }));
    expect(plans).toEqual(['SEARCH due USING COVERING INDEX jobs_due (due_at_ms>? AND due_at_ms<?)']);
  });

  test('claiming a job of one kind reads no jobs of other kinds, however many are due', async () => {
    const plans = await planned.plansOf(() =>
      planned.stores.jobs.claim({ kinds: ['response'], except: ['busy'], leaseMs: 1000 }),
    );
    expect(plans).toHaveLength(1);
    expect(searchesOf(plans[0])).toEqual([
      'SEARCH due USING COVERING INDEX jobs_due_of_kind (kind=? AND due_at_ms>? AND due_at_ms<?)',
    ]);
  });

  test('claiming past a backlog of other projects reads the head of an index, then steps from project to project', async () => {
    const own = batchRecord({ id: `other ${which}`, created_at: rows });
    await planned.stores.project('q').batches.create(own);
    let lease: Lease | undefined;
    const plans = await planned.plansOf(async () => {
      lease = await planned.stores.jobs.claim({ kinds: ['batch'], except: ['p'], leaseMs: 1e12 });
    });
    expect(lease).toMatchObject({ id: own.batch.id, project: 'q' });
    expect(plans.map((plan) => [...new Set(searchesOf(plan))])).toEqual([
      ['SEARCH due USING COVERING INDEX jobs_due_of_kind (kind=? AND due_at_ms>? AND due_at_ms<?)'],
      [
        'SEARCH jobs USING COVERING INDEX jobs_due_of_project (kind=?)',
        'SEARCH next USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH following USING COVERING INDEX jobs_due_of_project (kind=? AND project_id>?)',
      ],
      [
        'SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH due USING COVERING INDEX jobs_due_of_project (kind=? AND (project_id,due_at_ms)>(?,?) AND project_id<?)',
      ],
    ]);
    expect(plans.join('\n')).not.toMatch(/SCAN (?!head|first|oldest|CONSTANT ROW)/);
  });

  test('deliveries of one status are read from an index, without sorting', async () => {
    const query = { webhook: 'webhook_1', status: 'failed', limit: 20 } as const;
    const plans = await planned.plansOf(() => planned.stores.webhooks.deliveries(query));
    expect(plans).toEqual([
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_of_status (webhook_id=? AND status=?)',
    ]);
  });

  test('claiming and releasing a job use an index', async () => {
    const plans = await planned.plansOf(() => claimAndReleaseJob(planned.stores));
    expect(plans.filter(walksAll)).toEqual([]);
  });

  test('due bytes are read from an index, oldest first, without sorting', async () => {
    const plans = await planned.plansOf(() => removeDueBytes(planned.stores, 'due200'));
    expect(plans.filter(walksAll)).toEqual([]);
    expect(plans.slice(0, 2).join('\n')).toMatch(
      /blob_ledger_due \(due_at_ms<\?\)[^]*blob_ledger_due \(due_at_ms<\?\)/,
    );
  });

  test('all other calls on files, uploads, batches and videos use an index', async () => {
    const isFirst = which === 'with no statistics';
    const existing = { run: which, file: isFirst ? 'f4' : 'f5', upload: isFirst ? 'u9' : 'u8' };
    const plans = await planned.plansOf(await prepareWorkCalls(planned.stores, existing));
    expect(plans.filter(walksAll)).toEqual([]);
  });

  test('lines with results are read from an index alone', async () => {
    const { batches } = planned.stores.project('p');
    const [plan = ''] = await planned.plansOf(() => batches.linesWithResults('b1'));
    expect(plan).toContain('SEARCH batch_results USING COVERING INDEX sqlite_autoindex_batch_results_1 (batch_id=?)');
  });
});
