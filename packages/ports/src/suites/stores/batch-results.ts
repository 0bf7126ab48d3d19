import { describe, expect, test } from 'vitest';
import type { BatchResult } from '../../batch-store.ts';
import { ReservationLostError } from '../../file-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import {
  batchRecord,
  blobKey,
  expectReferenced,
  expectReserved,
  fileRecord,
  longLeaseMs,
  leaseOf,
  now,
  reservedSegments,
  takeOver,
} from './work-records.ts';

const result = (line: number, text = `result ${line}`): BatchResult => ({ line, failed: line % 5 === 4, text });
const lines = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

export function describeBatchResults(open: () => Promise<StoresUnderTest>): void {
  describe('batch jobs', () => {
    const { stores, project } = openStores(open);

    async function startBatch() {
      const { batches, files } = project();
      const { batch } = batchRecord();
      const work = { keyId: undefined, outputExpiresAfter: undefined };
      await batches.create({ batch, work });
      const { id } = batch;
      const lease = await leaseOf(stores(), id);
      const countsNow = async () => (await batches.get(id))?.batch.request_counts;
      return { batches, files, id, batch, lease, countsNow };
    }

    describe('results of a batch', () => {
      test('are counted, stored and returned in the order of the lines', async () => {
        const { batches, id, lease, countsNow } = await startBatch();
        const shuffled = lines(0, 700).toSorted((a, b) => ((a * 7919) % 701) - ((b * 7919) % 701));
        expect(
          await batches.addResults(
            id,
            lease,
            shuffled.slice(0, 3).map((line) => result(line)),
          ),
        ).toBe('in_progress');
        expect(
          await batches.addResults(
            id,
            lease,
            shuffled.slice(3).map((line) => result(line)),
          ),
        ).toBe('in_progress');
        expect(await batches.addResults(id, lease, [])).toBe('in_progress');
        expect(await countsNow()).toEqual({ total: 10, completed: 560, failed: 140 });
        expect(await batches.results(id, { after: -1, limit: 1000 })).toEqual(
          lines(0, 700).map((line) => result(line)),
        );
        expect(await batches.results(id, { after: 3, limit: 2 })).toEqual([result(4), result(5)]);
        expect(await batches.results(id, { after: 698, limit: 2 })).toEqual([result(699)]);
        expect(await batches.results(id, { after: 699, limit: 2 })).toEqual([]);
        expect(await batches.results('batch_none', { after: -1, limit: 2 })).toEqual([]);
      });

      test('report which lines have a result', async () => {
        const { batches, id, lease } = await startBatch();
        expect(await batches.linesWithResults(id)).toEqual([]);
        expect(await batches.linesWithResults('batch_none')).toEqual([]);
        const linesWithResult = [0, 2, 3, 4, 9, 11, ...lines(40, 90), 49_999];
        for (const line of linesWithResult.toReversed()) await batches.addResults(id, lease, [result(line)]);
        expect((await batches.linesWithResults(id)).toSorted((a, b) => a - b)).toEqual(linesWithResult);
      });

      test('of a line that already has one are neither stored nor counted', async () => {
        const { batches, id, lease, countsNow } = await startBatch();
        await batches.addResults(id, lease, [result(1), result(4)]);
        const again = [0, 1, 2, 4, 9, 9].map((line, index) => ({ line, failed: false, text: `again ${index}` }));
        expect(await batches.addResults(id, lease, again)).toBe('in_progress');
        expect(await batches.addResults(id, lease, again)).toBe('in_progress');
        expect(await batches.results(id, { after: -1, limit: 9 })).toEqual([
          again[0],
          result(1),
          again[2],
          result(4),
          again[4],
        ]);
        expect(await countsNow()).toEqual({ total: 10, completed: 4, failed: 1 });
      });

      test('that are added concurrently are all stored and counted once', async () => {
        const { batches, id, lease, countsNow } = await startBatch();
        const groups = Array.from({ length: 20 }, (_, index) =>
          lines(index * 10, index * 10 + 20).map((l) => result(l)),
        );
        const statuses = await Promise.all(groups.map((group) => batches.addResults(id, lease, group)));
        expect(new Set(statuses)).toEqual(new Set(['in_progress']));
        expect(await batches.linesWithResults(id)).toHaveLength(210);
        expect(await countsNow()).toEqual({ total: 10, completed: 168, failed: 42 });
      });

      test('return the status of the batch', async () => {
        const { batches, id, batch, lease } = await startBatch();
        await batches.replace({ ...batch, status: 'cancelling' }, { version: 1 });
        expect(await batches.addResults(id, lease, [result(0)])).toBe('cancelling');
      });

      test('are rejected from a worker that lost the lease', async () => {
        const { batches, id, lease, countsNow } = await startBatch();
        const other = await startBatch();
        await batches.addResults(id, lease, [result(0)]);
        const newLease = await takeOver(stores(), lease);
        for (const wrong of [lease, other.lease, { ...newLease, token: '' }]) {
          for (const results of [[], [result(0)], [result(0), result(1)], [result(1)]]) {
            expect(await batches.addResults(id, wrong, results)).toBeUndefined();
          }
        }
        expect(await batches.addResults('batch_none', lease, [result(1)])).toBeUndefined();
        expect(await batches.linesWithResults(id)).toEqual([0]);
        expect(await countsNow()).toEqual({ total: 10, completed: 1, failed: 0 });
        expect(await batches.addResults(id, newLease, [result(1)])).toBe('in_progress');
      });

      test('that are added while the job is taken over are stored if and only if they were acknowledged', async () => {
        for (let round = 0; round < 5; round++) {
          const { batches, id, lease, countsNow } = await startBatch();
          await stores().jobs.renew(lease, 0);
          const add = (line: number) => batches.addResults(id, lease, [result(line * 5)]);
          const first = lines(0, 10).map(add);
          const taking = leaseOf(stores(), id).catch(() => undefined);
          const second = lines(10, 20).map(add);
          const [taken, statuses] = await Promise.all([taking, Promise.all([...first, ...second])]);
          const kept = lines(0, 20).filter((line) => statuses[line] !== undefined);
          expect(await batches.linesWithResults(id)).toEqual(kept.map((line) => line * 5));
          expect((await countsNow())?.completed).toBe(kept.length);
          // A claim skips rows that are being written.
          if (!taken) await leaseOf(stores(), id);
          expect(await add(99)).toBeUndefined();
        }
      });
    });

    test('what a batch submitted to upstreams is stored by the worker that holds it, and for no other project', async () => {
      const { batches, id, lease } = await startBatch();
      const nothing = { submissions: [], preparations: 0 };
      expect(await batches.forwarding(id)).toEqual(nothing);
      const submission = {
        key: 'a key',
        upstream: 'an \u0000 upstream',
        model: 'a model',
        endpoint: '/v1/chat/completions',
        fileId: 'file-1',
        submittedAt: 1_700_000_000,
        lines: [
          [0, 3],
          [7, 7],
        ] as const,
      };
      const submitted = { submissions: [submission, { ...submission, key: 'b', batchId: 'batch_1' }], preparations: 2 };
      expect(await batches.setForwarding(id, lease, submitted)).toBe(true);
      expect(await batches.forwarding(id)).toEqual(submitted);
      expect(await stores().project('another').batches.forwarding(id)).toEqual(nothing);
      expect(await stores().project('another').batches.setForwarding(id, lease, nothing)).toBe(false);
      const newLease = await takeOver(stores(), lease);
      expect(await batches.setForwarding(id, lease, nothing)).toBe(false);
      expect(await batches.forwarding(id)).toEqual(submitted);
      expect(await batches.setForwarding(id, newLease, nothing)).toBe(true);
      expect(await batches.forwarding(id)).toEqual(nothing);
    });

    describe('a batch that ends', () => {
      test('has its files, and neither results nor a job', async () => {
        const { batches, files, id, batch, lease } = await startBatch();
        await batches.addResults(
          id,
          lease,
          lines(0, 300).map((line) => result(line)),
        );
        const output = fileRecord({}, await reservedSegments(stores(), 2));
        const error = fileRecord({}, await reservedSegments(stores(), 1));
        const request_counts = { total: 10, completed: 7, failed: 3 };
        const ended = { ...batch, status: 'completed', output_file_id: output.file.id, request_counts };
        expect(await batches.end(ended, { version: 1, lease, files: [output, error] })).toBe(true);
        const record = await batches.get(id);
        expect(record?.batch).toEqual(ended);
        expect(record?.version).toBeGreaterThan(1);
        for (const file of [output, error]) expect(await files.get(file.file.id)).toEqual(file);
        await expectReferenced(stores(), [...output.content, ...error.content]);
        expect(await batches.linesWithResults(id)).toEqual([]);
        expect(await batches.results(id, { after: -1, limit: 9 })).toEqual([]);
        expect(await stores().jobs.renew(lease, 9)).toBe(false);
        await expect(leaseOf(stores(), id)).rejects.toThrow('no job');
        expect(await batches.addResults(id, lease, [result(0)])).toBeUndefined();
        expect(await batches.end(ended, { version: 2, lease, files: [output] })).toBe(false);
        expect(await batches.end(ended, { version: 1, lease, files: [output] })).toBe(false);
        expect(await batches.replace({ ...ended, status: 'cancelling' }, { version: 1 })).toBe(false);
        expect((await batches.get(id))?.batch).toEqual(ended);
      });

      test('ends immediately; its results are removed in steps with expired records', async () => {
        const { removeExpired } = stores();
        const remove = () => removeExpired({ completionsBefore: undefined, now, limit: 100 });
        const [one, other, running] = [await startBatch(), await startBatch(), await startBatch()];
        for (const { batches, id, lease } of [one, other, running]) {
          const results = lines(0, 150).map((line) => result(line));
          await batches.addResults(id, lease, results);
        }
        while ((await remove()) > 0);
        for (const { batches, batch, lease } of [one, other]) {
          expect(await batches.end({ ...batch, status: 'completed' }, { version: 1, lease, files: [] })).toBe(true);
        }
        const counts = [];
        do counts.push(await remove());
        while (counts.at(-1));
        expect(counts).toEqual([100, 100, 100, 0]);
        expect(await running.batches.linesWithResults(running.id)).toHaveLength(150);
        expect(await running.batches.addResults(running.id, running.lease, [result(200)])).toBe('in_progress');
      });

      test('is unchanged when its version or its lease differs, or a reservation was lost', async () => {
        const { batches, files, id, batch, lease, countsNow } = await startBatch();
        await batches.addResults(id, lease, [result(0)]);
        const content = await reservedSegments(stores(), 2);
        const output = fileRecord({}, content);
        const ended = { ...batch, status: 'completed' };
        const newLease = await takeOver(stores(), lease);
        expect(await batches.end(ended, { version: 1, lease, files: [output] })).toBe(false);
        expect(await batches.end(ended, { version: 2, lease: newLease, files: [output] })).toBe(false);
        const lost = fileRecord({}, [...content, { key: blobKey(), bytes: 1 }]);
        await expect(batches.end(ended, { version: 1, lease: newLease, files: [lost] })).rejects.toThrow(
          ReservationLostError,
        );
        expect(await batches.get(id)).toMatchObject({ version: 1, batch: { status: 'in_progress' } });
        expect(await countsNow()).toEqual({ total: 10, completed: 1, failed: 0 });
        expect(await batches.results(id, { after: -1, limit: 9 })).toEqual([result(0)]);
        for (const { file } of [output, lost]) expect(await files.get(file.id)).toBeUndefined();
        expect(await stores().jobs.renew(newLease, longLeaseMs)).toBe(true);
        await expectReserved(stores(), content);
      });

      test('while it is cancelled either ends or is cancelling', async () => {
        for (let round = 0; round < 6; round++) {
          const { batches, files, id, batch, lease } = await startBatch();
          const output = fileRecord({}, await reservedSegments(stores(), 1));
          const end = () => batches.end({ ...batch, status: 'completed' }, { version: 1, lease, files: [output] });
          const cancel = () => batches.replace({ ...batch, status: 'cancelling' }, { version: 1 });
          const [a, b] = await Promise.all(round % 2 ? [end(), cancel()] : [cancel(), end()]);
          const [ended, cancelled] = round % 2 ? [a, b] : [b, a];
          expect(cancelled).toBe(!ended);
          expect((await batches.get(id))?.batch.status).toBe(ended ? 'completed' : 'cancelling');
          expect(await files.get(output.file.id)).toEqual(ended ? output : undefined);
          expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(!ended);
        }
      });

      test('concurrently ends once', async () => {
        const { batches, files, batch, lease } = await startBatch();
        const outputs = await Promise.all(
          lines(0, 6).map(async () => fileRecord({}, await reservedSegments(stores(), 1))),
        );
        const done = await Promise.all(
          outputs.map((output) =>
            batches.end({ ...batch, status: 'completed' }, { version: 1, lease, files: [output] }),
          ),
        );
        expect(done.filter(Boolean)).toEqual([true]);
        const found = await Promise.all(outputs.map(({ file }) => files.get(file.id)));
        expect(found).toEqual(outputs.map((output, index) => (done[index] ? output : undefined)));
      });
    });
  });
}
