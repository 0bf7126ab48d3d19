import type { Video } from '@modelwire/schema/types';
import { describe, expect, test } from 'vitest';
import { ReservationLostError } from '../../file-store.ts';
import type { VideoContent } from '../../video-store.ts';
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
  leaseOf,
  longLeaseMs,
  minute,
  now,
  requestTrace,
  reservedSegments,
  seconds,
  takeOver,
  videoRecord,
} from './work-records.ts';

const dueAfterMs = 44 * minute;
const list = { limit: 100, order: 'asc', now: seconds } as const;

export const videoList: ListUnderTest = {
  name: 'videos',
  add: async (_, { videos }, created_at) =>
    (await createRecord(videos, videoRecord({ created_at, expires_at: created_at + 5000 }))).video.id,
  list: ({ videos }, query) => videos.list({ ...query, now: seconds }),
};

export function describeVideos(open: () => Promise<StoresUnderTest>): void {
  describePages(open, videoList);

  describe('a video', () => {
    const { stores, project } = openStores(open);

    const contentOf = async (count: number, mediaType = 'video/mp4'): Promise<VideoContent> => ({
      mediaType,
      content: (await reservedSegments(stores(), count)).toReversed(),
    });
    async function startVideo(init: Partial<Video> = {}, inputReference?: VideoContent) {
      const { videos } = project();
      const { video } = videoRecord(init);
      const work = {
        keyId: undefined,
        seed: 5,
        extensionSeconds: 8,
        uploadedSource: undefined,
        inputReference,
        ...requestTrace,
      };
      await videos.create({ video, work });
      return { videos, id: video.id, video, work, lease: await leaseOf(stores(), video.id) };
    }

    test('is returned as it was stored, and keeps the bytes of its input', async () => {
      const inputReference = await contentOf(2, 'image/png');
      const { videos, id, video, work } = await startVideo(
        { error: null, remixed_from_video_id: null },
        inputReference,
      );
      expect(await videos.get(id)).toEqual({
        video,
        work,
        checkpoint: undefined,
        contents: {},
        version: expect.any(Number) as unknown,
      });
      expect(await videos.list(list)).toEqual({ items: [video], hasMore: false });
      await expectReferenced(stores(), inputReference.content);
      await expect(videos.create({ video, work: { ...work, inputReference: undefined } })).rejects.toThrow();
      await expect(project().videos.create({ video, work: { ...work, inputReference: undefined } })).rejects.toThrow();
    });

    test('keeps the bytes of an uploaded source until it ends', async () => {
      const { videos } = project();
      const { video, work } = videoRecord();
      const [uploadedSource, inputReference] = [await contentOf(2), await contentOf(1, 'image/png')];
      await videos.create({ video, work: { ...work, uploadedSource, inputReference } });
      expect((await videos.get(video.id))?.work).toMatchObject({ uploadedSource, inputReference });
      await expectReferenced(stores(), uploadedSource.content);
      const lease = await leaseOf(stores(), video.id);
      expect(await videos.end(video, { lease, contents: {}, dueAfterMs })).toBe(true);
      expect((await videos.get(video.id))?.work).toMatchObject({
        uploadedSource: undefined,
        inputReference: undefined,
      });
      await expectDue(stores(), [...uploadedSource.content, ...inputReference.content], dueAfterMs);
    });

    test('is rejected with its job when a reservation was lost', async () => {
      const { videos } = project();
      const { video, work } = videoRecord();
      const content = await reservedSegments(stores(), 1);
      const inputReference = { mediaType: 'image/png', content: [...content, { key: blobKey(), bytes: 1 }] };
      await expect(videos.create({ video, work: { ...work, inputReference } })).rejects.toThrow(ReservationLostError);
      expect(await videos.get(video.id)).toBeUndefined();
      await expect(leaseOf(stores(), video.id)).rejects.toThrow('no job');
      await expectReserved(stores(), content);
    });

    test('keeps every text unchanged', async () => {
      for (const text of hostileTexts) {
        const { videos } = stores().project(`of ${text}`);
        const { video } = videoRecord({ id: `id ${text}`, prompt: text, model: text });
        const inputReference = await contentOf(1, text);
        await videos.create({
          video,
          work: { keyId: text, seed: 1, extensionSeconds: undefined, uploadedSource: undefined, inputReference },
        });
        const lease = await leaseOf(stores(), video.id);
        expect((await videos.get(video.id))?.work).toEqual({ keyId: text, seed: 1, inputReference });
        expect(await videos.update(video, { lease, checkpoint: text })).toBe(true);
        const contents = { video: await contentOf(1, text) };
        expect(await videos.end(video, { lease, contents, dueAfterMs })).toBe(true);
        expect(await videos.get(video.id)).toMatchObject({
          video,
          work: { keyId: text, seed: 1, inputReference: undefined },
          checkpoint: text,
          contents,
        });
        expect(await stores().project(`of ${text} `).videos.get(video.id)).toBeUndefined();
      }
    });

    test('does not exist for another project, in any call', async () => {
      const { videos, id, video, work, lease } = await startVideo();
      const other = project().videos;
      expect(await other.get(id)).toBeUndefined();
      expect(await other.update({ ...video, progress: 9 }, { lease, checkpoint: 'theirs' })).toBe(false);
      expect(await other.end({ ...video, progress: 9 }, { lease, contents: {}, dueAfterMs })).toBe(false);
      expect(await other.delete(id, 0)).toBe(false);
      expect(await videos.get(id)).toMatchObject({ video, work, checkpoint: undefined });
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(true);
    });

    test('is updated by the holder of its job, and keeps the latest update', async () => {
      const { videos, id, video, work, lease } = await startVideo();
      const before = (await videos.get(id))?.version ?? 0;
      const running = { ...video, status: 'in_progress', progress: 40 };
      expect(await videos.update(running, { lease, checkpoint: 'one' })).toBe(true);
      expect(await videos.update({ ...running, progress: 50 }, { lease })).toBe(true);
      const after = await videos.get(id);
      expect(after).toMatchObject({ video: { ...running, progress: 50 }, work, checkpoint: 'one', contents: {} });
      expect(after?.version).toBeGreaterThan(before);
      expect((await videos.list(list))?.items).toEqual([after?.video]);
      await videos.update(running, { lease, checkpoint: '' });
      expect((await videos.get(id))?.checkpoint).toBe('');
    });

    test('is not updated by a worker that lost its job', async () => {
      const { videos, id, video, lease } = await startVideo();
      const other = await startVideo();
      const newLease = await takeOver(stores(), lease);
      const content = await contentOf(1);
      for (const wrong of [lease, other.lease, { ...newLease, token: '' }]) {
        expect(await videos.update({ ...video, progress: 9 }, { lease: wrong, checkpoint: 'lost' })).toBe(false);
        expect(
          await videos.end({ ...video, progress: 9 }, { lease: wrong, contents: { video: content }, dueAfterMs }),
        ).toBe(false);
      }
      expect(await videos.get(id)).toMatchObject({ video, checkpoint: undefined, contents: {} });
      await expectReserved(stores(), content.content);
      expect(await videos.end(video, { lease: newLease, contents: {}, dueAfterMs })).toBe(true);
      expect(await videos.update(video, { lease: newLease })).toBe(false);
    });

    test('that ends has its contents and no job; the bytes of its input are due after the given time', async () => {
      const inputReference = await contentOf(2, 'image/png');
      const { videos, id, video, work, lease } = await startVideo({}, inputReference);
      await videos.update(video, { lease, checkpoint: 'kept' });
      const contents = {
        video: await contentOf(3),
        thumbnail: await contentOf(1, 'image/webp'),
        spritesheet: await contentOf(0, 'image/jpeg'),
      };
      const done = { ...video, status: 'completed', progress: 100, completed_at: seconds + 9, expires_at: null };
      expect(await videos.end(done, { lease, contents, dueAfterMs })).toBe(true);
      const left = { ...work, inputReference: undefined };
      expect(await videos.get(id)).toMatchObject({ video: done, work: left, checkpoint: 'kept', contents });
      await expectReferenced(stores(), [...contents.video.content, ...contents.thumbnail.content]);
      await expectDue(stores(), inputReference.content, dueAfterMs);
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(false);
      await expect(leaseOf(stores(), id)).rejects.toThrow('no job');
      expect(await videos.end(done, { lease, contents: {}, dueAfterMs })).toBe(false);
    });

    test('is unchanged when a reservation of its contents was lost', async () => {
      const { videos, id, video, lease } = await startVideo();
      const thumbnail = await contentOf(2);
      const contents = { thumbnail, video: { mediaType: 'video/mp4', content: [{ key: blobKey(), bytes: 1 }] } };
      const done = { ...video, status: 'completed' };
      await expect(videos.end(done, { lease, contents, dueAfterMs })).rejects.toThrow(ReservationLostError);
      expect(await videos.get(id)).toMatchObject({ video, contents: {} });
      expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(true);
      await expectReserved(stores(), thumbnail.content);
    });

    test('shares no bytes with a file of the same ID', async () => {
      const mine = project();
      const { video, work } = videoRecord({ id: 'the same' });
      const inputReference = await contentOf(1);
      const file = fileRecord({ id: 'the same' }, await reservedSegments(stores(), 2));
      await mine.videos.create({ video, work: { ...work, inputReference } });
      await mine.files.create(file);
      expect(await mine.files.get('the same')).toEqual(file);
      expect((await mine.videos.get('the same'))?.work.inputReference).toEqual(inputReference);
      await mine.files.delete('the same', dueAfterMs);
      await expectDue(stores(), file.content, dueAfterMs);
      expect((await mine.videos.get('the same'))?.work.inputReference).toEqual(inputReference);
      await mine.videos.delete('the same', dueAfterMs + 9 * minute);
      await expectDue(stores(), inputReference.content, dueAfterMs + 9 * minute);
    });

    test('that was deleted is gone with its job, and all its bytes are due after the given time', async () => {
      const inputReference = await contentOf(2);
      const { videos, id, video, lease } = await startVideo({}, inputReference);
      const contents = { video: await contentOf(2), thumbnail: await contentOf(1) };
      await videos.end(video, { lease, contents, dueAfterMs });
      const running = await startVideo();
      expect(await videos.delete(id, dueAfterMs)).toBe(true);
      expect(await videos.delete(id, 0)).toBe(false);
      expect(await videos.get(id)).toBeUndefined();
      expect((await videos.list(list))?.items).toEqual([]);
      const bytes = [inputReference, contents.video, contents.thumbnail].flatMap(({ content }) => content);
      await expectDue(stores(), bytes, dueAfterMs);
      expect(await running.videos.delete(running.id, dueAfterMs)).toBe(true);
      expect(await stores().jobs.renew(running.lease, longLeaseMs)).toBe(false);
      expect(await running.videos.update(running.video, { lease: running.lease })).toBe(false);
    });

    test('deleted while it is updated and ends leaves every byte due or reserved', async () => {
      for (let round = 0; round < 6; round++) {
        const { videos, id, video, lease } = await startVideo();
        const content = await contentOf(2);
        const end = videos.end(video, { lease, contents: { video: content }, dueAfterMs });
        const work = [
          videos.update({ ...video, progress: 5 }, { lease, checkpoint: 'm' }),
          videos.delete(id, dueAfterMs),
          videos.delete(id, dueAfterMs),
        ];
        const [ended, [, ...deleted]] = await Promise.all([end, Promise.all(work)]);
        expect(deleted.filter(Boolean)).toEqual([true]);
        expect(await videos.get(id)).toBeUndefined();
        expect(await stores().jobs.renew(lease, longLeaseMs)).toBe(false);
        if (ended) await expectDue(stores(), content.content, dueAfterMs);
        else await expectReserved(stores(), content.content);
      }
    });

    test('that has expired is not listed, and is removed; its bytes are due ten minutes later', async () => {
      const { videos, id, video, lease } = await startVideo();
      const content = await contentOf(2);
      await videos.end({ ...video, expires_at: seconds + 10 }, { lease, contents: { video: content }, dueAfterMs });
      const idsAt = async (time: number) => (await videos.list({ ...list, now: time }))?.items.map((one) => one.id);
      expect(await idsAt(seconds + 9)).toEqual([id]);
      expect(await idsAt(seconds + 10)).toEqual([]);
      expect(await videos.get(id)).toMatchObject({ contents: { video: content } });
      const remove = (time: number) => stores().removeExpired({ completionsBefore: undefined, now: time, limit: 9 });
      expect(await remove(now + 9999)).toBe(0);
      expect(await remove(now + 10_000)).toBe(1);
      expect(await videos.get(id)).toBeUndefined();
      await expectDue(stores(), content.content, 10 * minute);
    });
  });
}
