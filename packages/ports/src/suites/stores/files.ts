import { describe, expect, test } from 'vitest';
import { ReservationLostError } from '../../file-store.ts';
import { hostileTexts } from './completions.ts';
import { createRecord } from './create-record.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { describePages } from './pages.ts';
import type { ListUnderTest } from './pages.ts';
import {
  blobKey,
  expectDue,
  expectReferenced,
  expectReserved,
  fileRecord,
  minute,
  now,
  reservedSegments,
  seconds,
} from './work-records.ts';

const list = { limit: 100, order: 'asc', now: seconds } as const;

export const filesOfPurpose: ListUnderTest = {
  name: 'files of one purpose',
  async add(_, { files }, created_at) {
    const init = { created_at, expires_at: created_at + 5000 };
    await files.create(fileRecord({ ...init, purpose: 'batch' }));
    return (await createRecord(files, fileRecord({ ...init, purpose: 'vision' }))).file.id;
  },
  list: ({ files }, query) => files.list({ ...query, purpose: 'vision', now: seconds }),
};

export function describeFiles(open: () => Promise<StoresUnderTest>): void {
  describePages(open, {
    name: 'files',
    add: async (_, { files }, created_at) =>
      (await createRecord(files, fileRecord({ created_at, expires_at: created_at + 5000 }))).file.id,
    list: ({ files }, query) => files.list({ ...query, now: seconds }),
  });
  describePages(open, filesOfPurpose);

  describe('a file', () => {
    const { stores, project } = openStores(open);

    test('is returned as it was stored, with all segments in order, and keeps its bytes', async () => {
      const { files } = project();
      for (const count of [0, 1, 2, 255, 1001]) {
        const content = (await reservedSegments(stores(), count)).toReversed();
        const record = await createRecord(files, fileRecord({ expires_at: null }, content));
        expect(await files.get(record.file.id)).toEqual(record);
        await expectReferenced(stores(), content);
      }
    });

    test('keeps every text unchanged', async () => {
      for (const text of hostileTexts) {
        const { files } = stores().project(`of ${text}`);
        const base = fileRecord({ id: `id ${text}`, filename: text, purpose: `for ${text}`, status_details: text });
        const record = { ...base, mediaType: text };
        await files.create(record);
        expect(await files.get(`id ${text}`)).toEqual(record);
        expect((await files.list({ ...list, purpose: `for ${text}` }))?.items).toEqual([record.file]);
        expect((await files.list({ ...list, purpose: text }))?.items).toEqual([]);
        expect(await stores().project(`of ${text} `).files.get(`id ${text}`)).toBeUndefined();
        expect(await files.delete(`id ${text}`, 0)).toBe(true);
      }
      const { files } = project();
      const plain = await createRecord(files, { ...fileRecord(), mediaType: undefined });
      expect(await files.get(plain.file.id)).toEqual(plain);
    });

    test('is rejected when one of its reservations was lost; nothing is stored', async () => {
      const { files } = project();
      for (const [count, at] of [
        [1, 0],
        [3, 2],
        [300, 299],
      ] as const) {
        const content = await reservedSegments(stores(), count);
        const broken = content.with(at, { key: blobKey(), bytes: 1 });
        const record = fileRecord({}, broken);
        await expect(files.create(record)).rejects.toThrow(ReservationLostError);
        expect(await files.get(record.file.id)).toBeUndefined();
        await expectReserved(stores(), content);
      }
      expect((await files.list(list))?.items).toEqual([]);
    });

    test('is rejected when its ID exists; the existing file and the reservation are unchanged', async () => {
      const { files } = project();
      const record = await createRecord(files, fileRecord({}, await reservedSegments(stores())));
      const content = await reservedSegments(stores(), 2);
      const again = fileRecord({ id: record.file.id, filename: 'other' }, content);
      for (const store of [files, project().files]) await expect(store.create(again)).rejects.toThrow();
      expect(await files.get(record.file.id)).toEqual(record);
      await expectReserved(stores(), content);
    });

    test('does not exist for another project, in any call', async () => {
      const [mine, other] = [project().files, project().files];
      const record = await createRecord(mine, fileRecord({}, await reservedSegments(stores())));
      expect(await other.get(record.file.id)).toBeUndefined();
      expect(await other.delete(record.file.id, 0)).toBe(false);
      expect((await other.list({ ...list, purpose: 'batch' }))?.items).toEqual([]);
      expect(await mine.get(record.file.id)).toEqual(record);
      await expectReferenced(stores(), record.content);
    });

    test('that was deleted is gone, and its bytes are due at the given time', async () => {
      const { files } = project();
      const content = await reservedSegments(stores(), 300);
      const [record, other] = [fileRecord({}, content), fileRecord({}, await reservedSegments(stores()))];
      await files.create(record);
      await files.create(other);
      expect(await files.delete(record.file.id, 77 * minute)).toBe(true);
      expect(await files.delete(record.file.id, 0)).toBe(false);
      expect(await files.get(record.file.id)).toBeUndefined();
      expect((await files.list(list))?.items).toEqual([other.file]);
      await expectDue(stores(), content, 77 * minute);
      await expectReferenced(stores(), other.content);
    });

    test('is deleted by one of several concurrent calls', async () => {
      const { files } = project();
      const content = await reservedSegments(stores(), 3);
      const record = await createRecord(files, fileRecord({}, content));
      const deleted = await Promise.all(Array.from({ length: 12 }, () => files.delete(record.file.id, 77 * minute)));
      expect(deleted.filter(Boolean)).toEqual([true]);
      await expectDue(stores(), content, 77 * minute);
    });

    test('read while it is deleted is complete or missing', async () => {
      const { files } = project();
      for (let round = 0; round < 10; round++) {
        const record = await createRecord(files, fileRecord({}, await reservedSegments(stores(), 3)));
        const reads = Array.from({ length: 6 }, () => files.get(record.file.id));
        await files.delete(record.file.id, 0);
        const late = Array.from({ length: 6 }, () => files.get(record.file.id));
        for (const read of await Promise.all([...reads, ...late])) if (read) expect(read).toEqual(record);
      }
    });

    test('that has expired is not listed, and is found until it is removed', async () => {
      const { files } = project();
      const times = [null, seconds + 10, seconds + 20, undefined];
      const records = times.map((expires_at) => fileRecord({ expires_at }));
      for (const record of records) await files.create(record);
      const [first, ten, twenty, last] = records.map(({ file }) => file.id);
      const idsAt = async (time: number, after?: string) =>
        (await files.list({ ...list, now: time, after }))?.items.map(({ id }) => id);
      expect(await idsAt(seconds + 9)).toEqual([first, ten, twenty, last]);
      expect(await idsAt(seconds + 10)).toEqual([first, twenty, last]);
      expect(await idsAt(seconds + 10, ten)).toEqual([twenty, last]);
      expect(await idsAt(seconds + 20)).toEqual([first, last]);
      expect(await files.get(ten ?? '')).toEqual(records[1]);
    });

    test('that has expired is removed, and its bytes are due ten minutes later', async () => {
      const mine = project();
      const expired = [30, 10, 20].map((time) => seconds - time);
      const records = [];
      for (const expires_at of [...expired, seconds + 1, null]) {
        const record = fileRecord({ expires_at }, await reservedSegments(stores(), 2));
        await mine.files.create(record);
        records.push(record);
      }
      const [a, b, c, d, e] = records;
      const remove = (limit: number) => stores().removeExpired({ completionsBefore: undefined, now, limit });
      await remove(0);
      const idsLeft = async () => (await mine.files.list({ ...list, now: 0 }))?.items.map(({ id }) => id);
      expect(await idsLeft()).toEqual([a, b, c, d, e].map((record) => record?.file.id));
      expect(await remove(2)).toBe(2);
      expect(await idsLeft()).toEqual([b, d, e].map((record) => record?.file.id));
      // Servers that remove at the same time count each once.
      const counts = await Promise.all([remove(2), remove(2), remove(2)]);
      expect(counts.reduce((sum, count) => sum + count)).toBe(1);
      expect(await idsLeft()).toEqual([d, e].map((record) => record?.file.id));
      await expectDue(
        stores(),
        [a, b, c].flatMap((record) => record?.content ?? []),
        10 * minute,
      );
      await expectReferenced(stores(), [...(d?.content ?? []), ...(e?.content ?? [])]);
    });
  });
}
