import { describe, expect, test } from 'vitest';
import { ReservationLostError } from '../../file-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import {
  unlimited,
  blobKey,
  expectDue,
  fileRecord,
  minute,
  longReservationMs,
  partRecord,
  reservedSegments,
  seconds,
  uploadRecord,
  videoRecord,
} from './work-records.ts';

export function describeLedger(open: () => Promise<StoresUnderTest>): void {
  describe('the ledger of bytes', () => {
    const { stores, project } = openStores(open);
    const dueOf = async (keys: readonly string[], withinMs: number) =>
      (await stores().ledger.due({ withinMs, limit: unlimited })).filter((key) => keys.includes(key));

    test('is empty without reservations, files, videos and parts', async () => {
      const { ledger } = stores();
      const { files, videos, uploads } = project();
      expect(await ledger.isEmpty()).toBe(true);
      const [content, part] = await reservedSegments(stores(), 2);
      if (!content || !part) throw new Error('no segments');
      expect(await ledger.isEmpty()).toBe(false);
      const record = fileRecord({}, [content]);
      await files.create(record);
      await ledger.forget([part.key]);
      expect(await ledger.isEmpty()).toBe(false);
      await files.delete(record.file.id, 0);
      expect(await ledger.isEmpty()).toBe(false);
      await ledger.forget([content.key]);
      expect(await ledger.isEmpty()).toBe(true);
      const { video, work } = videoRecord();
      await videos.create({ video, work });
      expect(await ledger.isEmpty()).toBe(false);
      await videos.delete(video.id, 0);
      expect(await ledger.isEmpty()).toBe(true);
      const upload = uploadRecord();
      await uploads.create(upload);
      await ledger.reserve(part.key, longReservationMs);
      await uploads.addPart(partRecord(upload.upload.id, part), { now: seconds, maxBytes: 1e6, maxParts: 9 });
      expect(await ledger.isEmpty()).toBe(false);
    });

    test('returns a reserved key when it is due, and not before', async () => {
      await expectDue(stores(), await reservedSegments(stores(), 3, 50 * minute), 50 * minute);
    });

    test('returns keys until they are deleted', async () => {
      const { ledger } = stores();
      const keys = (await reservedSegments(stores(), 600, 0)).map(({ key }) => key);
      for (let time = 0; time < 2; time++) expect(await dueOf(keys, 0)).toHaveLength(600);
      await ledger.forget(keys.slice(0, 599));
      expect(await dueOf(keys, longReservationMs)).toEqual(keys.slice(599));
      // An interrupted run is repeated.
      await ledger.forget(keys);
      await ledger.forget([]);
      expect(await dueOf(keys, longReservationMs)).toEqual([]);
    });

    test('returns postponed keys at their new time, and does not give them to records', async () => {
      const { ledger } = stores();
      const segments = await reservedSegments(stores(), 300, 0);
      const keys = segments.map(({ key }) => key);
      expect(await dueOf(keys, 0)).toHaveLength(300);
      await ledger.postpone(keys.slice(0, 299), 9 * minute);
      await ledger.postpone([], 9 * minute);
      expect(await dueOf(keys, 8 * minute)).toEqual(keys.slice(299));
      await expect(project().files.create(fileRecord({}, segments.slice(0, 1)))).rejects.toThrow(ReservationLostError);
      expect(await dueOf(keys, 9 * minute)).toHaveLength(300);
      await ledger.forget(keys);
      // Removed entries do not reappear; reserved ones are not due and stay unchanged.
      const [recent = { key: '', bytes: 0 }] = await reservedSegments(stores(), 1, 20 * minute);
      await ledger.postpone([...keys, recent.key], 9 * minute);
      expect(await dueOf([...keys, recent.key], 19 * minute)).toEqual([]);
      await expectDue(stores(), [recent], 20 * minute);
    });

    test('returns at most the limit, the oldest first', async () => {
      const { ledger } = stores();
      await ledger.forget(await ledger.due({ withinMs: 2 * longReservationMs, limit: unlimited }));
      const keys = Array.from({ length: 5 }, blobKey);
      for (const [index, key] of keys.entries()) await ledger.reserve(key, ((index * 2) % 5) * minute);
      const sorted = [0, 3, 1, 4, 2].map((index) => keys[index] ?? '');
      expect(await ledger.due({ withinMs: 3 * minute, limit: 9 })).toEqual(sorted.slice(0, 4));
      expect(await ledger.due({ withinMs: 9 * minute, limit: 3 })).toEqual(sorted.slice(0, 3));
      await ledger.forget(sorted.slice(0, 3));
      expect(await ledger.due({ withinMs: 9 * minute, limit: 3 })).toEqual(sorted.slice(3));
    });

    test('ends a reservation immediately when it is released, and no other', async () => {
      const { ledger } = stores();
      const [one = '', other = ''] = (await reservedSegments(stores(), 2)).map(({ key }) => key);
      expect(await dueOf([one, other], 0)).toEqual([]);
      await ledger.release(one);
      expect(await dueOf([one, other], 0)).toEqual([one]);
      await ledger.release(one);
      expect(await dueOf([one], 0)).toEqual([one]);
      await ledger.release(blobKey());
    });

    test('ignores bytes that a record refers to', async () => {
      const { ledger } = stores();
      const content = await reservedSegments(stores());
      const keys = content.map(({ key }) => key);
      await project().files.create(fileRecord({}, content));
      for (const key of keys) await ledger.release(key);
      expect(await dueOf(keys, 2 * longReservationMs)).toEqual([]);
    });

    test('rejects a key that it has', async () => {
      const [segment = { key: '' }] = await reservedSegments(stores(), 1, 7 * minute);
      await expect(stores().ledger.reserve(segment.key, longReservationMs)).rejects.toThrow();
      await expectDue(stores(), [{ ...segment, bytes: 0 }], 7 * minute);
    });

    test('does not let a record use bytes that it returned as due', async () => {
      const content = await reservedSegments(stores(), 1, 0);
      expect(await stores().ledger.due({ limit: unlimited })).toContain(content[0]?.key);
      const record = fileRecord({}, content);
      const mine = project();
      await expect(mine.files.create(record)).rejects.toThrow(ReservationLostError);
      expect(await mine.files.get(record.file.id)).toBeUndefined();
    });

    test('gives a key to a record or returns it as due, never both, when both happen concurrently', async () => {
      const mine = project();
      const segments = await reservedSegments(stores(), 60, 0);
      const sweeps: Promise<readonly string[]>[] = [];
      const outcomes = await Promise.allSettled(
        segments.map((segment, index) => {
          if (index % 20 === 10) sweeps.push(stores().ledger.due({ limit: unlimited }));
          return mine.files.create(fileRecord({ id: `file-of-${segment.key}` }, [segment]));
        }),
      );
      const swept = new Set((await Promise.all(sweeps)).flat());
      for (const [index, { key }] of segments.entries()) {
        expect(outcomes[index]?.status).toBe(swept.has(key) ? 'rejected' : 'fulfilled');
        expect((await mine.files.get(`file-of-${key}`)) === undefined).toBe(swept.has(key));
      }
    });
  });
}
