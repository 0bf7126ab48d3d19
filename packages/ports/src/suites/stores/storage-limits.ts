import { describe, expect, test } from 'vitest';
import { StorageLimitError } from '../../storage-limit.ts';
import { projectRecord } from './keys.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { completionRecord } from './records.ts';
import { message, storedResponse, storeTurn } from './response-records.ts';
import { expectReserved, fileRecord, partRecord, reservedSegments, seconds, uploadRecord } from './work-records.ts';

let projectCount = 0;

export function describeStorageLimits(open: () => Promise<StoresUnderTest>): void {
  describe('a storage limit', () => {
    const { stores } = openStores(open);

    /** A project in the store, which only a project with a limit has to be. */
    async function addProject() {
      const id = `limited ${++projectCount}`;
      await stores().keys.addProject(projectRecord({ id }));
      return { ...stores().project(id), storedBytes: () => stores().keys.storageBytes(id) };
    }
    /** The number of writes that resolved; the others were refused by the limit. */
    async function countStored(writes: readonly Promise<unknown>[]): Promise<number> {
      const outcomes = await Promise.allSettled(writes);
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      for (const reason of reasons) expect(reason).toBeInstanceOf(StorageLimitError);
      return outcomes.length - reasons.length;
    }

    test('is used up and not exceeded by concurrent files', async () => {
      const { files, storedBytes } = await addProject();
      const contents = await Promise.all(Array.from({ length: 24 }, () => reservedSegments(stores())));
      const writes = contents.map((content) => files.create(fileRecord({}, content), { maxProjectBytes: 599 }));
      expect(await countStored(writes)).toBe(5);
      expect(await storedBytes()).toBe(500);
    });

    test('is used up and not exceeded by concurrent completions and responses, which count together', async () => {
      const { completions, responses, storedBytes } = await addProject();
      await completions.append(completionRecord({ id: 'chatcmpl-limit-0' }));
      const completionBytes = await storedBytes();
      const limit = { maxProjectBytes: 10 * completionBytes };
      const appends = Array.from({ length: 20 }, (_, index) =>
        completions.append(completionRecord({ id: `chatcmpl-limit-${String.fromCharCode(97 + index)}` }), limit),
      );
      const creates = Array.from({ length: 20 }, (_, index) =>
        responses.create(
          {
            response: storedResponse({ id: `resp_limit${index}` }),
            isStreamed: false,
            work: undefined,
            input: [message(`msg_limit${index}`, 'Hello')],
          },
          limit,
        ),
      );
      const stored = await countStored([...appends, ...creates]);
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThan(40);
      expect(await storedBytes()).toBeLessThanOrEqual(limit.maxProjectBytes);
      // Nothing of what was refused remains.
      const page = await completions.list({ limit: 100, order: 'asc' });
      const refused = Array.from({ length: 20 }, (_, index) => responses.get(`resp_limit${index}`));
      const found = (await Promise.all(refused)).filter((record) => record !== undefined);
      expect((page?.items.length ?? 0) + found.length).toBe(stored + 1);
      await expect(
        completions.append(completionRecord(), { maxProjectBytes: await storedBytes() }),
      ).rejects.toBeInstanceOf(StorageLimitError);
      await completions.append(completionRecord());
    });

    test('counts exactly what concurrent writes and deletions leave', async () => {
      const { completions, files, responses, storedBytes } = await addProject();
      const other = await addProject();
      const store = async (kind: string) => {
        const content = await reservedSegments(stores());
        const record = fileRecord({}, content);
        await Promise.all([
          files.create(record, { maxProjectBytes: 1_000_000 }),
          completions.append(completionRecord({ id: `chatcmpl-${kind}` })),
          storeTurn(responses, { id: `resp_${kind}` }),
          other.completions.append(completionRecord({ id: `chatcmpl-other-${kind}` })),
        ]);
        return record.file.id;
      };
      const remove = (kind: string, fileId: string) =>
        Promise.all([
          files.delete(fileId, 1000),
          completions.delete(`chatcmpl-${kind}`),
          responses.delete(`resp_${kind}`),
        ]);
      await store('remaining');
      const remaining = await storedBytes();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const kind = `removed${index}`;
          const fileId = await store(kind);
          return remove(kind, fileId);
        }),
      );
      expect(outcomes.flat()).toEqual(outcomes.flat().map(() => true));
      expect(await storedBytes()).toBe(remaining);
      expect(await other.storedBytes()).toBeGreaterThan(0);
    });

    test('refuses a file that does not fit; the reservation of its bytes remains', async () => {
      const { files, storedBytes } = await addProject();
      const content = await reservedSegments(stores());
      await expect(files.create(fileRecord({}, content), { maxProjectBytes: 99 })).rejects.toBeInstanceOf(
        StorageLimitError,
      );
      expect(await storedBytes()).toBe(0);
      await expectReserved(stores(), content);
    });

    test('refuses to complete an upload that does not fit, and leaves it pending', async () => {
      const { uploads, storedBytes } = await addProject();
      const { upload, ...rest } = uploadRecord();
      await uploads.create({ upload, ...rest });
      const content = await reservedSegments(stores());
      const parts = content.map((segment) => partRecord(upload.id, segment));
      for (const part of parts) await uploads.addPart(part, { now: seconds, maxBytes: 1000, maxParts: 10 });
      const completion = {
        now: seconds,
        partIds: parts.map(({ part }) => part.id),
        file: fileRecord({}, content),
        dueAfterMs: 1000,
      };
      await expect(uploads.complete(upload.id, { ...completion, maxProjectBytes: 99 })).rejects.toBeInstanceOf(
        StorageLimitError,
      );
      expect((await uploads.get(upload.id))?.upload.status).toBe('pending');
      expect(await storedBytes()).toBe(0);
      expect(await uploads.complete(upload.id, { ...completion, maxProjectBytes: 100 })).toBe(true);
      expect(await storedBytes()).toBe(100);
    });
  });
}
