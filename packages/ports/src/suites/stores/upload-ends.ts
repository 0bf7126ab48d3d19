import { describe, expect, test } from 'vitest';
import type { FileRecord } from '../../file-store.ts';
import type { ProjectStores } from '../../stores.ts';
import type { PartOutcome, PartRecord } from '../../upload-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { generousLimits } from './uploads.ts';
import {
  expectDue,
  expectReferenced,
  expectReserved,
  fileRecord,
  minute,
  partRecord,
  reservedSegments,
  seconds,
  uploadRecord,
} from './work-records.ts';

const dueAfterMs = 55 * minute;

export function describeUploadEnds(open: () => Promise<StoresUnderTest>): void {
  describe('the end of uploads', () => {
    const { stores, project } = openStores(open);

    /** An upload with this many parts. */
    async function startUpload(count: number, mine: ProjectStores = project()) {
      const record = uploadRecord();
      const { id } = record.upload;
      await mine.uploads.create(record);
      const parts = await newParts(id, count);
      for (const part of parts) expect(await mine.uploads.addPart(part, generousLimits)).toBe('added');
      return { ...mine, record, id, parts };
    }
    async function newParts(id: string, count: number): Promise<PartRecord[]> {
      return (await reservedSegments(stores(), count)).map((segment) => partRecord(id, segment));
    }
    const completionOf = (parts: readonly PartRecord[]): { partIds: string[]; file: FileRecord } => ({
      partIds: parts.map(({ part }) => part.id),
      file: fileRecord(
        {},
        parts.map(({ segment }) => segment),
      ),
    });
    const segmentsOf = (parts: readonly PartRecord[]) => parts.map(({ segment }) => segment);

    describe('an upload that is completed', () => {
      test('is a file of the listed parts in order; bytes of the others are due after the given time', async () => {
        const { uploads, files, record, id, parts } = await startUpload(300);
        const listed = parts.filter((_, index) => index % 3 > 0).toReversed();
        const left = parts.filter((_, index) => index % 3 === 0);
        const { partIds, file } = completionOf(listed);
        expect(await uploads.complete(id, { now: seconds, partIds, file, dueAfterMs })).toBe(true);
        expect(await uploads.get(id)).toEqual({
          ...record,
          upload: { ...record.upload, status: 'completed', file: file.file },
        });
        expect(await files.get(file.file.id)).toEqual(file);
        expect((await files.list({ limit: 9, order: 'asc', now: seconds }))?.items).toEqual([file.file]);
        expect(await uploads.completedWith(id)).toEqual(partIds);
        // Completing it again with the same list reads them.
        expect(await uploads.parts(id, partIds)).toEqual(expect.arrayContaining(listed));
        const leftIds = left.map(({ part }) => part.id);
        expect(await uploads.parts(id, leftIds)).toEqual([]);
        await expectDue(stores(), segmentsOf(left), dueAfterMs);
        await expectReferenced(stores(), segmentsOf(listed));
        expect(await files.delete(file.file.id, dueAfterMs + 9 * minute)).toBe(true);
        await expectDue(stores(), segmentsOf(listed), dueAfterMs + 9 * minute);
      });

      test('is completed once', async () => {
        const { uploads, files, id, parts } = await startUpload(2);
        const first = completionOf(parts);
        await uploads.complete(id, { ...first, now: seconds, dueAfterMs });
        const again = completionOf(parts);
        expect(await uploads.complete(id, { ...again, now: seconds, dueAfterMs })).toBe(false);
        expect(await uploads.complete(id, { ...first, now: seconds, dueAfterMs })).toBe(false);
        expect(await uploads.cancel(id, { now: seconds, dueAfterMs })).toBe(false);
        expect(await files.get(again.file.file.id)).toBeUndefined();
        expect((await uploads.get(id))?.upload).toMatchObject({ status: 'completed', file: first.file.file });
        const [latePart] = await newParts(id, 1);
        if (!latePart) throw new Error('nothing reserved');
        expect(await uploads.addPart(latePart, generousLimits)).toBe('completed');
        await expectReserved(stores(), [latePart.segment]);
        await expectReferenced(stores(), segmentsOf(parts));
      });

      test('stays pending when it has expired, belongs to another project or its file cannot be created', async () => {
        const { uploads, files, record, id, parts } = await startUpload(2);
        const made = completionOf(parts);
        const other = project();
        expect(await uploads.complete(id, { ...made, now: record.upload.expires_at, dueAfterMs })).toBe(false);
        expect(await other.uploads.complete(id, { ...made, now: seconds, dueAfterMs })).toBe(false);
        expect(await uploads.complete('upload_none', { ...made, now: seconds, dueAfterMs })).toBe(false);
        expect(await files.get(made.file.file.id)).toBeUndefined();
        expect(await other.files.get(made.file.file.id)).toBeUndefined();
        await other.files.create(fileRecord({ id: made.file.file.id }));
        await expect(uploads.complete(id, { ...made, now: seconds, dueAfterMs })).rejects.toThrow();
        expect(await uploads.get(id)).toEqual(record);
        expect(await uploads.completedWith(id)).toEqual([]);
        expect(await uploads.complete(id, { ...completionOf(parts.slice(1)), now: seconds, dueAfterMs })).toBe(true);
        await expectDue(stores(), segmentsOf(parts.slice(0, 1)), dueAfterMs);
      });

      test('concurrently is completed by one call', async () => {
        for (let round = 0; round < 3; round++) {
          const { uploads, files, id, parts } = await startUpload(4);
          const all = Array.from({ length: 8 }, (_, index) => completionOf(parts.slice(index % 3)));
          const done = await Promise.all(
            all.map((made) => uploads.complete(id, { ...made, now: seconds, dueAfterMs })),
          );
          expect(done.filter(Boolean)).toEqual([true]);
          const at = done.indexOf(true);
          expect(await uploads.completedWith(id)).toEqual(all[at]?.partIds);
          const found = await Promise.all(all.map(({ file }) => files.get(file.file.id)));
          expect(found).toEqual(all.map(({ file }, index) => (index === at ? file : undefined)));
          await expectDue(stores(), segmentsOf(parts.slice(0, at % 3)), dueAfterMs);
          await expectReferenced(stores(), segmentsOf(parts.slice(at % 3)));
        }
      });
    });

    describe('an upload that is cancelled', () => {
      test('has the status cancelled, and all its bytes are due after the given time', async () => {
        const { uploads, record, id, parts } = await startUpload(3);
        expect(await uploads.cancel('upload_none', { now: seconds, dueAfterMs })).toBe(false);
        expect(await uploads.cancel(id, { now: record.upload.expires_at, dueAfterMs })).toBe(false);
        expect(await uploads.get(id)).toEqual(record);
        expect(await uploads.cancel(id, { now: seconds, dueAfterMs })).toBe(true);
        expect(await uploads.get(id)).toEqual({ ...record, upload: { ...record.upload, status: 'cancelled' } });
        expect(await uploads.cancel(id, { now: seconds, dueAfterMs: 0 })).toBe(false);
        expect(await uploads.complete(id, { ...completionOf(parts), now: seconds, dueAfterMs })).toBe(false);
        await expectDue(stores(), segmentsOf(parts), dueAfterMs);
      });

      test('while parts are added and others complete it ends in one way, and every byte is kept or due', async () => {
        for (let round = 0; round < 6; round++) {
          const { uploads, files, id, parts } = await startUpload(2);
          const late = await newParts(id, 12);
          const made = completionOf(parts);
          const added: Promise<PartOutcome>[] = late.slice(0, 6).map((part) => uploads.addPart(part, generousLimits));
          const ends = [
            uploads.complete(id, { ...made, now: seconds, dueAfterMs }),
            uploads.cancel(id, { now: seconds, dueAfterMs }),
            uploads.cancel(id, { now: seconds, dueAfterMs }),
          ];
          added.push(...late.slice(6).map((part) => uploads.addPart(part, generousLimits)));
          const [completed, ...cancelled] = await Promise.all(round % 2 ? ends : ends.toReversed()).then((done) =>
            round % 2 ? done : done.toReversed(),
          );
          const outcomes = await Promise.all(added);
          expect([completed, ...cancelled].filter(Boolean)).toEqual([true]);
          const status = completed ? 'completed' : 'cancelled';
          expect((await uploads.get(id))?.upload.status).toBe(status);
          expect(await files.get(made.file.file.id)).toEqual(completed ? made.file : undefined);
          for (const outcome of outcomes) expect(['added', status]).toContain(outcome);
          const addedParts = late.filter((_, index) => outcomes[index] === 'added');
          await expectReserved(stores(), segmentsOf(late.filter((part) => !addedParts.includes(part))));
          await expectDue(stores(), segmentsOf(completed ? addedParts : [...parts, ...addedParts]), dueAfterMs);
          if (completed) await expectReferenced(stores(), segmentsOf(parts));
        }
      });
    });

    describe('an expired upload', () => {
      test('gets the status expired with other expired records, and its bytes are due ten minutes later', async () => {
        const [one, done, cancelled, recent] = [
          await startUpload(2),
          await startUpload(1),
          await startUpload(1),
          await startUpload(1),
        ];
        await done.uploads.complete(done.id, { ...completionOf(done.parts), now: seconds, dueAfterMs });
        await cancelled.uploads.cancel(cancelled.id, { now: seconds, dueAfterMs });
        const later = one.record.upload.expires_at * 1000;
        const remove = (time: number) => stores().removeExpired({ completionsBefore: undefined, now: time, limit: 99 });
        await remove(later - 1);
        expect((await one.uploads.get(one.id))?.upload.status).toBe('pending');
        const soon = uploadRecord({ expires_at: later / 1000 + 1 });
        await recent.uploads.create(soon);
        await recent.uploads.cancel(recent.id, { now: seconds, dueAfterMs });
        expect(await remove(later)).toBe(1);
        expect(await one.uploads.get(one.id)).toEqual({
          ...one.record,
          upload: { ...one.record.upload, status: 'expired' },
        });
        expect(await remove(later)).toBe(0);
        expect((await done.uploads.get(done.id))?.upload.status).toBe('completed');
        expect((await cancelled.uploads.get(cancelled.id))?.upload.status).toBe('cancelled');
        expect((await recent.uploads.get(soon.upload.id))?.upload.status).toBe('pending');
        await expectDue(stores(), segmentsOf(one.parts), 10 * minute);
        await expectReferenced(stores(), segmentsOf(done.parts));
      });

      test('is removed thirty days later, whatever its status; a file created from it stays', async () => {
        const [done, cancelled, late] = [await startUpload(3), await startUpload(1), await startUpload(1)];
        const made = completionOf(done.parts);
        await done.uploads.complete(done.id, { ...made, now: seconds, dueAfterMs });
        await cancelled.uploads.cancel(cancelled.id, { now: seconds, dueAfterMs });
        const later = (done.record.upload.expires_at + 30 * 86_400) * 1000;
        const remove = (time: number) =>
          stores().removeExpired({ completionsBefore: undefined, now: time, limit: 999 });
        await remove(later - 1000);
        const statuses = async () =>
          Promise.all([done, cancelled, late].map(async ({ uploads, id }) => (await uploads.get(id))?.upload.status));
        expect(await statuses()).toEqual(['completed', 'cancelled', 'expired']);
        expect(await remove(later)).toBeGreaterThanOrEqual(3);
        expect(await statuses()).toEqual([undefined, undefined, undefined]);
        expect(await done.uploads.completedWith(done.id)).toEqual([]);
        expect(await done.files.get(made.file.file.id)).toEqual(made.file);
        await expectReferenced(stores(), segmentsOf(done.parts));
        expect(await remove(later)).toBe(0);
        // No part remains, so a part with the same ID is new.
        await done.uploads.create(done.record);
        expect(await done.uploads.parts(done.id, made.partIds)).toEqual([]);
        await done.uploads.cancel(done.id, { now: seconds, dueAfterMs });
      });
    });
  });
}
