import { describe, expect, test } from 'vitest';
import { ReservationLostError } from '../../file-store.ts';
import { hostileTexts } from './completions.ts';
import { createRecord } from './create-record.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { blobKey, expectReserved, now, partRecord, reservedSegments, seconds, uploadRecord } from './work-records.ts';

/** Limits that these tests do not reach. */
export const generousLimits = { now: seconds, maxBytes: 1_000_000, maxParts: 1000 };

export function describeUploads(open: () => Promise<StoresUnderTest>): void {
  describe('an upload', () => {
    const { stores, project } = openStores(open);

    test('is returned as it was stored', async () => {
      const { uploads } = project();
      for (const fileExpiresAfter of [undefined, 3600]) {
        const record = await createRecord(uploads, { ...uploadRecord(), fileExpiresAfter });
        expect(await uploads.get(record.upload.id)).toEqual(record);
        expect(await uploads.completedWith(record.upload.id)).toEqual([]);
        await expect(uploads.create(record)).rejects.toThrow();
        await expect(project().uploads.create(record)).rejects.toThrow();
      }
    });

    test('keeps every text unchanged', async () => {
      for (const text of hostileTexts) {
        const { uploads } = stores().project(`of ${text}`);
        const id = `id ${text}`;
        const record = await createRecord(uploads, {
          ...uploadRecord({ id, filename: text, purpose: text }),
          mediaType: text,
        });
        expect(await uploads.get(id)).toEqual(record);
        const [segment = { key: '', bytes: 0 }] = await reservedSegments(stores());
        const part = partRecord(id, segment, `part ${text}`);
        expect(await uploads.addPart(part, generousLimits)).toBe('added');
        expect(await uploads.parts(id, [`part ${text}`, text])).toEqual([part]);
        expect(await stores().project(`of ${text} `).uploads.get(id)).toBeUndefined();
      }
    });

    test('does not exist for another project, in any call', async () => {
      const [mine, other] = [project().uploads, project().uploads];
      const record = await createRecord(mine, uploadRecord());
      const [one, two] = await reservedSegments(stores(), 2);
      if (!one || !two) throw new Error('nothing reserved');
      const part = partRecord(record.upload.id, one);
      await mine.addPart(part, generousLimits);
      for (const id of [record.upload.id, 'upload_none']) {
        expect(await other.get(id)).toBeUndefined();
        expect(await other.addPart(partRecord(id, two), generousLimits)).toBe('absent');
        expect(await other.parts(id, [part.part.id])).toEqual([]);
        expect(await other.completedWith(id)).toEqual([]);
        expect(await other.cancel(id, { now: seconds, dueAfterMs: 0 })).toBe(false);
      }
      expect(await mine.get(record.upload.id)).toEqual(record);
      expect(await mine.parts(record.upload.id, [part.part.id])).toEqual([part]);
      await expectReserved(stores(), [two]);
    });
  });

  describe('a part of an upload', () => {
    const { stores, project } = openStores(open);

    async function startUpload(init: Parameters<typeof uploadRecord>[0] = {}) {
      const { uploads } = project();
      const record = await createRecord(uploads, uploadRecord(init));
      return { uploads, id: record.upload.id };
    }
    async function newPart(upload: string, bytes = 100) {
      const [segment = { key: '' }] = await reservedSegments(stores());
      return partRecord(upload, { key: segment.key, bytes });
    }

    test('is found among the requested parts, in its upload only', async () => {
      const { uploads, id } = await startUpload();
      const other = await createRecord(uploads, uploadRecord());
      const parts = await Promise.all(Array.from({ length: 300 }, () => newPart(id, 0)));
      for (const part of parts) expect(await uploads.addPart(part, generousLimits)).toBe('added');
      const elsewhere = await newPart(other.upload.id);
      await uploads.addPart(elsewhere, generousLimits);
      const asked = [...parts.map(({ part }) => part.id), elsewhere.part.id, 'part_none'];
      const found = await uploads.parts(id, asked);
      expect(found).toHaveLength(300);
      expect(found).toEqual(expect.arrayContaining(parts));
      expect(await uploads.parts(id, asked.slice(0, 1))).toEqual(parts.slice(0, 1));
      expect(await uploads.parts(other.upload.id, asked)).toEqual([elsewhere]);
      expect(await uploads.parts(id, [])).toEqual([]);
    });

    test('is rejected when the upload is missing, has ended or has expired; its reservation stays', async () => {
      const { uploads, id } = await startUpload();
      const cancelled = await startUpload();
      await cancelled.uploads.cancel(cancelled.id, { now: seconds, dueAfterMs: 0 });
      const expired = await startUpload({ expires_at: seconds - 1 });
      await stores().removeExpired({ completionsBefore: undefined, now, limit: 9 });
      const late = { ...generousLimits, now: seconds + 3600 };
      const none = await newPart('upload_none');
      const [tooLate, ofCancelled, ofExpired] = [
        await newPart(id),
        await newPart(cancelled.id),
        await newPart(expired.id),
      ];
      expect(await uploads.addPart(none, generousLimits)).toBe('absent');
      expect(await uploads.addPart(tooLate, late)).toBe('expired');
      expect(await cancelled.uploads.addPart(ofCancelled, generousLimits)).toBe('cancelled');
      expect(await expired.uploads.addPart(ofExpired, { ...generousLimits, now: seconds - 9 })).toBe('expired');
      const refused = [none, tooLate, ofCancelled, ofExpired];
      for (const { part } of refused) expect(await uploads.parts(part.upload_id, [part.id])).toEqual([]);
      await expectReserved(
        stores(),
        refused.map(({ segment }) => segment),
      );
      expect(await uploads.addPart(await newPart(id), { ...late, now: late.now - 1 })).toBe('added');
    });

    test('is rejected when the sum exceeds the maximum of bytes or parts; its reservation stays', async () => {
      const { uploads, id } = await startUpload();
      const bounds = { now: seconds, maxBytes: 250, maxParts: 3 };
      expect(await uploads.addPart(await newPart(id, 100), bounds)).toBe('added');
      const large = await newPart(id, 151);
      expect(await uploads.addPart(large, bounds)).toBe('too_many_bytes');
      expect(await uploads.addPart(await newPart(id, 150), bounds)).toBe('added');
      expect(await uploads.addPart(await newPart(id, 0), bounds)).toBe('added');
      const fourth = await newPart(id, 0);
      expect(await uploads.addPart(fourth, bounds)).toBe('too_many_parts');
      await expectReserved(stores(), [large.segment, fourth.segment]);
      expect(await uploads.addPart(await newPart(id, 1), { ...bounds, maxBytes: 251, maxParts: 4 })).toBe('added');
    });

    test('is rejected and not counted when its reservation was lost', async () => {
      const { uploads, id } = await startUpload();
      const bounds = { now: seconds, maxBytes: 100, maxParts: 1 };
      const lost = partRecord(id, { key: blobKey(), bytes: 100 });
      await expect(uploads.addPart(lost, bounds)).rejects.toThrow(ReservationLostError);
      expect(await uploads.parts(id, [lost.part.id])).toEqual([]);
      const part = await newPart(id, 100);
      expect(await uploads.addPart(part, bounds)).toBe('added');
      // Its parts are stored once.
      await expect(uploads.addPart({ ...part, part: { ...part.part, id: 'part_2' } }, generousLimits)).rejects.toThrow(
        ReservationLostError,
      );
    });

    test('added concurrently is not lost, and the sums stay within the limits', async () => {
      for (const bounds of [
        { now: seconds, maxBytes: 2099, maxParts: 1000 },
        { now: seconds, maxBytes: 1_000_000, maxParts: 20 },
      ]) {
        const { uploads, id } = await startUpload();
        const parts = await Promise.all(Array.from({ length: 50 }, () => newPart(id, 100)));
        const outcomes = await Promise.all(parts.map((part) => uploads.addPart(part, bounds)));
        const added = parts.filter((_, index) => outcomes[index] === 'added');
        expect(added).toHaveLength(20);
        const found = await uploads.parts(
          id,
          parts.map(({ part }) => part.id),
        );
        expect(found).toHaveLength(20);
        expect(found).toEqual(expect.arrayContaining(added));
        const refused = parts.filter((_, index) => outcomes[index] !== 'added');
        await expectReserved(
          stores(),
          refused.map(({ segment }) => segment),
        );
      }
    });
  });
}
