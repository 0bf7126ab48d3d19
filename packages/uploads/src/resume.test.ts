import { gate } from '@modelwire/core/testing';
import { describe, expect, test } from 'vitest';
import { serveUploads, someBytes, streamOf } from '../test/server.ts';
import { AbortError, BadRequestError } from './index.ts';
import type { UploadState } from './index.ts';
import { nodeMd5 } from './node.ts';

const bytes = someBytes(1000);
const file = new Blob([bytes]);
const purpose = 'batch';

describe('the state after a failure', () => {
  test('resumes with the missing parts only, also in another process', async () => {
    let broken = true;
    const server = await serveUploads((_, count) => (broken && count > 3 ? 400 : undefined));
    const { uploads, recorded } = server;
    const run = uploads.upload({ file, purpose, partSize: 100, concurrency: 1 });
    await expect(run).rejects.toBeInstanceOf(BadRequestError);
    broken = false;
    const saved = JSON.parse(JSON.stringify(run.state())) as UploadState;
    expect(saved).toMatchObject({ upload_id: 'upload_1', bytes: 1000, part_size: 100, expires_at: 3601 });
    expect(saved.part_ids.slice(0, 4)).toEqual(['part_1', 'part_2', 'part_3', null]);
    for (const source of [file, { stream: streamOf(bytes), size: 1000 }]) {
      const before = recorded.length;
      const first: number[] = [];
      await uploads.upload({
        file: source,
        purpose,
        resume: saved,
        md5: nodeMd5,
        onProgress: ({ bytes }) => first.push(bytes),
      });
      // Seven parts and the completion; the upload itself was open.
      expect(recorded.length - before).toBe(8);
      expect(first[0]).toBe(300);
      expect(server.content()).toEqual(Buffer.from(bytes));
    }
  });

  test('is rejected for another file or part size, or when it is invalid', async () => {
    const { uploads, recorded } = await serveUploads();
    const state: UploadState = { upload_id: 'u', bytes: 1000, part_size: 500, part_ids: ['a', null], expires_at: 1 };
    const resumed = (resume: UploadState, more = {}): Promise<unknown> =>
      uploads.upload({ file, purpose, resume, ...more });
    await expect(resumed({ ...state, bytes: 999, part_ids: ['a', null] })).rejects.toMatchObject({ param: 'file' });
    await expect(resumed(state, { partSize: 400 })).rejects.toMatchObject({ param: 'partSize' });
    for (const broken of [
      null,
      {},
      'x',
      { ...state, part_ids: ['a'] },
      { ...state, part_size: 0 },
      { ...state, part_ids: [1, 2] },
    ]) {
      await expect(resumed(broken as UploadState)).rejects.toMatchObject({ name: 'InputError', param: 'resume' });
    }
    expect(recorded).toEqual([]);
  });

  test('resumes when only the completion is missing', async () => {
    const server = await serveUploads();
    const run = server.uploads.upload({ file, purpose, partSize: 500, md5: '0'.repeat(32) });
    await expect(run).rejects.toMatchObject({ code: 'md5_mismatch' });
    const before = server.recorded.length;
    await server.uploads.upload({ file, purpose, resume: run.state(), md5: nodeMd5 });
    expect(server.recorded.slice(before).map(({ path }) => path)).toEqual(['/uploads/upload_1/complete']);
  });
});

test('a part that fails after its retries aborts the others, and its error is thrown', async () => {
  const server = await serveUploads(async (_, count) => {
    if (count < 3) await new Promise((resolve) => setTimeout(resolve, 3_600_000).unref());
    return 400;
  });
  const run = server.uploads.upload({ file, purpose, partSize: 100, concurrency: 3 });
  await expect(run).rejects.toBeInstanceOf(BadRequestError);
  expect(server.recorded.some(({ path }) => path.endsWith('/complete'))).toBe(false);
});

describe('the signal', () => {
  /** A server that never responds to parts, and a signal that aborts after the second part request. */
  async function stuck(): Promise<{ server: Awaited<ReturnType<typeof serveUploads>>; signal: AbortSignal }> {
    const controller = new AbortController();
    const never = gate();
    const server = await serveUploads(async (_, count) => {
      if (count === 2) controller.abort('enough');
      await never.opened;
      return undefined;
    });
    return { server, signal: controller.signal };
  }

  test('aborts pending requests, and the upload can be resumed', async () => {
    const { server, signal } = await stuck();
    const run = server.uploads.upload({ file, purpose, partSize: 100, signal });
    await expect(run).rejects.toBeInstanceOf(AbortError);
    expect(run.state()?.upload_id).toBe('upload_1');
    expect(server.cancelled()).toBe(false);
  });

  test('cancels the upload with cancelOnAbort, and cancels the stream', async () => {
    const { server, signal } = await stuck();
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(100)),
      cancel: () => void (cancelled = true),
    });
    const run = server.uploads.upload({
      file: { stream, size: 1000 },
      purpose,
      partSize: 100,
      signal,
      cancelOnAbort: true,
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect([server.cancelled(), run.state(), cancelled]).toEqual([true, undefined, true]);
  });

  test('sends nothing when it is already aborted', async () => {
    const server = await serveUploads();
    const run = server.uploads.upload({ file, purpose, signal: AbortSignal.abort() });
    await expect(run).rejects.toBeInstanceOf(AbortError);
    expect(server.recorded).toEqual([]);
  });
});
