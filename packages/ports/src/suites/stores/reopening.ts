import { describe, expect, test } from 'vitest';
import { keyRecord, projectRecord } from './keys.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { completionRecord } from './records.ts';
import {
  batchRecord,
  fileRecord,
  longLeaseMs,
  leaseOf,
  partRecord,
  reservedSegments,
  seconds,
  uploadRecord,
  videoRecord,
} from './work-records.ts';

export function describeReopening(open: () => Promise<StoresUnderTest>): void {
  describe('closed stores', () => {
    const { stores, reopen } = openStores(open);

    test('contain everything after they are reopened, including the latest writes', async () => {
      const project = 'lasting';
      const record = completionRecord({ metadata: { a: '1' } });
      const { id } = record.completion;
      const key = keyRecord({ project });
      const limits = projectRecord({ id: project, requestsPerMinute: 5 });
      const used = {
        day: 0,
        project,
        keyId: key.id,
        model: 'm',
        requests: 1,
        inputTokens: 2,
        outputTokens: 3,
        cachedTokens: 0,
        costMicros: 4,
      };
      const claim = { key: 'k', token: 't', fingerprint: 'f', claimTtlMs: longLeaseMs };
      const before = stores();
      await before.project(project).completions.append(record);
      await before.keys.addProject(limits);
      const last = Promise.all([
        before.project(project).completions.setMetadata(id, { b: '2' }),
        before.keys.add(key),
        before.usage.add([used]),
        before.project(project).idempotency.claim(claim),
      ]);
      await Promise.all([reopen(), last]);

      const { completions, idempotency } = stores().project(project);
      expect(await completions.get(id)).toEqual({ ...record.completion, metadata: { b: '2' } });
      expect((await completions.list({ limit: 1, order: 'asc', metadata: { b: '2' } }))?.items).toHaveLength(1);
      expect((await completions.messages(id, { limit: 5, order: 'asc' }))?.items).toEqual(record.messages);
      expect(await stores().keys.findByHash(key.hash)).toEqual({ key, project: limits });
      expect(await stores().usage.read({ from: 0, to: 1 })).toEqual([used]);
      expect(await idempotency.claim(claim)).toEqual({ state: 'in_progress' });
    });

    test('contain files, uploads, batches, videos, jobs and reservations after they are reopened', async () => {
      const { ledger, jobs } = stores();
      const { files, uploads, batches, videos } = stores().project('lasting');
      const [kept, sent, input, reserved] = await reservedSegments(stores(), 4);
      if (!kept || !sent || !input || !reserved) throw new Error('nothing reserved');
      const [file, upload, batch, video] = [fileRecord({}, [kept]), uploadRecord(), batchRecord(), videoRecord()];
      const inputReference = { mediaType: 'image/png', content: [input] };
      const part = partRecord(upload.upload.id, sent);
      await Promise.all([files.create(file), uploads.create(upload), batches.create(batch)]);
      const lease = await leaseOf(stores(), batch.batch.id);
      const result = { line: 3, failed: true, text: '{}' };
      const last = Promise.all([
        uploads.addPart(part, { now: seconds, maxBytes: 1000, maxParts: 10 }),
        batches.addResults(batch.batch.id, lease, [result]),
        videos.create({ ...video, work: { ...video.work, inputReference } }),
        jobs.renew(lease, longLeaseMs),
        ledger.release(reserved.key),
      ]);
      await Promise.all([reopen(), last]);

      const again = stores().project('lasting');
      expect(await again.files.get(file.file.id)).toEqual(file);
      expect(await again.uploads.get(upload.upload.id)).toEqual(upload);
      expect(await again.uploads.parts(upload.upload.id, [part.part.id])).toEqual([part]);
      expect((await again.batches.get(batch.batch.id))?.batch.request_counts?.failed).toBe(1);
      expect(await again.batches.results(batch.batch.id, { after: -1, limit: 9 })).toEqual([result]);
      expect((await again.videos.get(video.video.id))?.work.inputReference).toEqual(inputReference);
      const claim = (kind: 'batch' | 'video') => stores().jobs.claim({ kinds: [kind], leaseMs: longLeaseMs });
      expect(await claim('batch')).toBeUndefined();
      expect(await claim('video')).toMatchObject({ id: video.video.id, attempt: 1 });
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(true);
      expect(await stores().ledger.due({ limit: 9 })).toEqual([reserved.key]);
    });

    test('reject further operations, and can be closed twice', async () => {
      const before = stores();
      await before.check();
      await reopen();
      await before.close();
      await expect(before.check()).rejects.toThrow();
      await expect(before.project('p').completions.append(completionRecord())).rejects.toThrow();
      await expect(before.project('p').completions.list({ limit: 1, order: 'asc' })).rejects.toThrow();
      await stores().check();
    });
  });
}
