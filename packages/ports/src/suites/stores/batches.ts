import type { Batch } from '@modelwire/schema/types';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from './completions.ts';
import { createRecord } from './create-record.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { describePages } from './pages.ts';
import { batchRecord, leaseOf, takeOver } from './work-records.ts';

export function describeBatches(open: () => Promise<StoresUnderTest>): void {
  describePages(open, {
    name: 'batches',
    add: async (_, { batches }, created_at) => (await createRecord(batches, batchRecord({ created_at }))).batch.id,
    list: ({ batches }, query) => batches.list(query),
  });

  describe('a batch', () => {
    const { stores, project } = openStores(open);

    async function startBatch(init: Partial<Batch> = {}) {
      const { batches } = project();
      const record = batchRecord(init);
      const { id } = record.batch;
      await batches.create(record);
      return { batches, id, batch: record.batch, lease: await leaseOf(stores(), id) };
    }

    test('is returned as it was stored', async () => {
      const { batches } = project();
      const full = batchRecord({
        model: null,
        errors: { object: 'list', data: [{ code: 'a', line: 1, message: 'b', param: null }] },
        cancelled_at: null,
        request_counts: { total: 9, completed: 0, failed: 0 },
      });
      const bare = { ...batchRecord(), work: { keyId: undefined, outputExpiresAfter: undefined } };
      for (const record of [full, bare]) {
        await batches.create(record);
        expect(await batches.get(record.batch.id)).toEqual({ ...record, version: expect.any(Number) as unknown });
        await expect(batches.create(record)).rejects.toThrow();
        await expect(project().batches.create(record)).rejects.toThrow();
      }
      expect(await batches.list({ limit: 9, order: 'asc' })).toEqual({
        items: [full.batch, bare.batch],
        hasMore: false,
      });
    });

    test('keeps every text unchanged', async () => {
      for (const text of hostileTexts) {
        const { batches } = stores().project(`of ${text}`);
        const { batch } = batchRecord({ id: `id ${text}`, status: text, endpoint: text, metadata: { [text]: text } });
        const record = { batch, work: { keyId: text, outputExpiresAfter: 1 } };
        await batches.create(record);
        expect(await batches.get(batch.id)).toEqual({ ...record, version: 1 });
        const lease = await leaseOf(stores(), batch.id);
        const results = [{ line: 0, failed: false, text }];
        expect(await batches.addResults(batch.id, lease, results)).toBe(text);
        expect(await batches.results(batch.id, { after: -1, limit: 5 })).toEqual(results);
        expect(await stores().project(`of ${text} `).batches.get(batch.id)).toBeUndefined();
      }
    });

    test('does not exist for another project, in any call', async () => {
      const { batches, id, batch, lease } = await startBatch();
      await batches.addResults(id, lease, [{ line: 0, failed: false, text: 'mine' }]);
      const other = project().batches;
      const stolen = { ...batch, status: 'cancelled' };
      expect(await other.get(id)).toBeUndefined();
      expect(await other.replace(stolen, { version: 1 })).toBe(false);
      expect(await other.replace(stolen, { version: 1, lease })).toBe(false);
      expect(await other.addResults(id, lease, [{ line: 1, failed: false, text: 'theirs' }])).toBeUndefined();
      expect(await other.linesWithResults(id)).toEqual([]);
      expect(await other.results(id, { after: -1, limit: 5 })).toEqual([]);
      expect(await other.end(stolen, { version: 1, lease, files: [] })).toBe(false);
      expect((await batches.get(id))?.batch).toMatchObject({ status: 'in_progress', request_counts: { completed: 1 } });
      expect(await batches.linesWithResults(id)).toEqual([0]);
    });

    test('is replaced by the caller that read the latest version, and keeps its counts and its work', async () => {
      const { batches, id, batch, lease } = await startBatch();
      const before = await batches.get(id);
      const version = before?.version ?? 0;
      await batches.addResults(id, lease, [
        { line: 0, failed: false, text: 'a' },
        { line: 1, failed: true, text: 'b' },
      ]);
      const next: Batch = { ...batch, status: 'finalizing', request_counts: { total: 12, completed: 99, failed: 99 } };
      expect(await batches.replace(next, { version: version + 1 })).toBe(false);
      expect(await batches.replace(next, { version: version - 1 })).toBe(false);
      expect(await batches.replace(next, { version })).toBe(true);
      const after = await batches.get(id);
      expect(after?.batch).toEqual({ ...next, request_counts: { total: 12, completed: 1, failed: 1 } });
      expect(after?.work).toEqual(before?.work);
      expect(after?.version).toBeGreaterThan(version);
      expect((await batches.list({ limit: 1, order: 'asc' }))?.items).toEqual([after?.batch]);
      expect(await batches.replace(next, { version })).toBe(false);
      expect(await batches.replace({ ...next, id: 'batch_none' }, { version })).toBe(false);
    });

    test('is replaced by one of the callers that read the same version', async () => {
      const { batches, id, batch, lease } = await startBatch();
      const statuses = Array.from({ length: 12 }, (_, index) => `status ${index}`);
      const done = await Promise.all(
        statuses.map((status, index) =>
          batches.replace({ ...batch, status }, { version: 1, lease: index % 2 ? lease : undefined }),
        ),
      );
      expect(done.filter(Boolean)).toEqual([true]);
      expect((await batches.get(id))?.batch.status).toBe(statuses[done.indexOf(true)]);
    });

    test('is not replaced by a worker that lost the lease', async () => {
      const { batches, id, batch, lease } = await startBatch();
      const next = { ...batch, status: 'finalizing' };
      const newLease = await takeOver(stores(), lease);
      expect(await batches.replace(next, { version: 1, lease })).toBe(false);
      expect(await batches.get(id)).toMatchObject({ batch, version: 1 });
      expect(await batches.replace(next, { version: 1, lease: newLease })).toBe(true);
      // The lease of another batch is not valid for this one.
      const other = await startBatch();
      expect(await batches.replace(next, { version: 2, lease: other.lease })).toBe(false);
      await stores().jobs.release(newLease, { afterMs: 60_000 });
      expect(await batches.replace(next, { version: 2, lease: newLease })).toBe(false);
    });
  });
}
