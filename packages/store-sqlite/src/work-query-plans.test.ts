import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobKind, Lease } from '@modelwire/ports';
import { batchRecord, fileRecord, partRecord, uploadRecord, videoRecord } from '@modelwire/ports/suites/stores';
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

/**
 * Rows that were passed to the statement are not a table. There are few webhooks, and no index could select those of an event. The indexes of
 * unmeasured records have no other records.
 */
const walksAll = (plan: string) =>
  /SCAN (?!\d+ CONSTANT|webhooks$|deleted_webhooks$|old USING INDEX \w+_unmeasured)|TEMP B-TREE/.test(plan);

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
    const range = after ? ` AND created${query.order === 'asc' ? '>' : '<'}?)` : ')';
    const lastOf = async (call: () => Promise<unknown>) => (await planned.plansOf(call)).at(-1);
    expect(await lastOf(() => files.list(from('f')))).toBe(`SEARCH files USING INDEX files_page (project=?${range}`);
    expect(await lastOf(() => files.list({ ...from('f'), purpose: 'batch' }))).toBe(
      `SEARCH files USING INDEX files_page_of_purpose (project=? AND purpose=?${range}`,
    );
    expect(await lastOf(() => batches.list(from('b')))).toBe(
      `SEARCH batches USING INDEX batches_page (project=?${range}`,
    );
    expect(await lastOf(() => videos.list(from('v')))).toBe(`SEARCH videos USING INDEX videos_page (project=?${range}`);
  });

  test('claiming without a due job reads only the end of an index', async () => {
    const plans = await planned.plansOf(() => planned.stores.jobs.claim({ kinds, due: 'urgent', leaseMs: 1000 }));
    expect(plans).toEqual(['SEARCH due USING COVERING INDEX jobs_due (due>? AND due<?)']);
  });

  test('claiming a job of one kind reads no jobs of other kinds, however many are due', async () => {
    const plans = await planned.plansOf(() =>
      planned.stores.jobs.claim({ kinds: ['response'], except: ['busy'], leaseMs: 1000 }),
    );
    expect(plans).toHaveLength(1);
    expect(searchesOf(plans[0])).toEqual([
      'SEARCH due USING COVERING INDEX jobs_due_of_kind (kind=? AND due>? AND due<?)',
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
      ['SEARCH due USING COVERING INDEX jobs_due_of_kind (kind=? AND due>? AND due<?)'],
      [
        'SEARCH jobs USING COVERING INDEX jobs_due_of_project (kind=?)',
        'SEARCH next USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH following USING COVERING INDEX jobs_due_of_project (kind=? AND project>?)',
      ],
      [
        'SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH due USING COVERING INDEX jobs_due_of_project (kind=? AND (project,due)>(?,?) AND project<?)',
      ],
    ]);
    expect(plans.join('\n')).not.toMatch(/SCAN (?!head|first|oldest|CONSTANT ROW)/);
  });

  test('deliveries of one status are read from an index, without sorting', async () => {
    const query = { webhook: 'webhook_1', status: 'failed', limit: 20 } as const;
    const plans = await planned.plansOf(() => planned.stores.webhooks.deliveries(query));
    expect(plans).toEqual([
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_of_status (webhook=? AND status=?)',
    ]);
  });

  test('claiming and releasing a job use an index', async () => {
    const { jobs } = planned.stores;
    const plans = await planned.plansOf(async () => {
      const lease = await jobs.claim({ kinds, leaseMs: 1e12 });
      if (!lease) throw new Error('no job is due');
      await jobs.renew(lease, 1e12);
      await jobs.note(lease, 'x');
      await jobs.release(lease);
    });
    expect(plans.filter(walksAll)).toEqual([]);
  });

  test('due bytes are read from an index, oldest first, without sorting', async () => {
    const { ledger } = planned.stores;
    const plans = await planned.plansOf(async () => {
      await ledger.due({ limit: 5 });
      await ledger.release('due200');
      await ledger.forget(['due1', 'due2']);
    });
    expect(plans.filter(walksAll)).toEqual([]);
    expect(plans.slice(0, 2).join('\n')).toMatch(/ledger_age \(due<\?\)[^]*ledger_age \(due<\?\)/);
  });

  test('all other calls on files, uploads, batches and videos use an index', async () => {
    const { ledger, jobs } = planned.stores;
    const { files, uploads, batches, videos } = planned.stores.project('p');
    for (const key of ['one', 'two', 'three', 'four']) await ledger.reserve(`${key} ${which}`, 1e12);
    const upload = uploadRecord({ expires_at: 1e6 });
    const { id } = upload.upload;
    await uploads.create(upload);
    const segment = (key: string) => ({ key: `${key} ${which}`, bytes: 1 });
    const parts = ['one', 'two'].map((key) => partRecord(id, segment(key)));
    const plans = await planned.plansOf(async () => {
      await files.get('f3');
      await files.delete(which === 'with statistics' ? 'f4' : 'f5', 1e12);
      for (const part of parts) await uploads.addPart(part, { now: 1, maxBytes: 9, maxParts: 9 });
      await uploads.get(id);
      await uploads.parts(
        id,
        parts.map(({ part }) => part.id),
      );
      const file = fileRecord({}, [segment('one')]);
      await uploads.complete(id, { now: 1, partIds: [parts[0]?.part.id ?? ''], file, dueAfterMs: 1e12 });
      await uploads.completedWith(id);
      await uploads.cancel('u9', { now: 1, dueAfterMs: 1e12 });

      const taken: Lease[] = [];
      for (const kind of kinds) {
        const lease = await jobs.claim({ kinds: [kind], leaseMs: 1e12 });
        if (lease) taken.push(lease);
      }
      const [batch, video] = taken;
      if (!batch || !video) throw new Error('no job is due');
      await batches.addResults(batch.id, batch, [{ line: 1, failed: false, text: '' }]);
      await batches.results(batch.id, { after: 0, limit: 5 });
      const { batch: found } = (await batches.get(batch.id)) ?? {};
      if (!found) throw new Error('no batch');
      await batches.replace(found, { version: 1, lease: batch });
      await batches.end(found, { version: 2, lease: batch, files: [fileRecord({}, [segment('three')])] });

      const { video: drawn } = (await videos.get(video.id)) ?? {};
      if (!drawn) throw new Error('no video');
      await videos.update(drawn, { lease: video, memory: '' });
      const contents = { video: { mediaType: 'video/mp4', content: [segment('four')] } };
      await videos.end(drawn, { lease: video, contents, dueAfterMs: 1e12 });
      await videos.delete(video.id, 1e12);
      await planned.stores.removeExpired({ completionsBefore: undefined, now: 1000_000, limit: 5 });
    });
    expect(plans.filter(walksAll)).toEqual([]);
  });

  test('the answered lines are read from an index alone', async () => {
    const { batches } = planned.stores.project('p');
    const [plan = ''] = await planned.plansOf(() => batches.answeredLines('b1'));
    expect(plan).toContain('SEARCH batch_results USING COVERING INDEX sqlite_autoindex_batch_results_1 (batch=?)');
  });
});
