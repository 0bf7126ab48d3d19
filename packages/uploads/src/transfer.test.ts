import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gate, md5 } from '@modelwire/core/testing';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveUploads, someBytes, streamOf } from '../test/server.ts';
import type { UploadProgress } from './index.ts';
import { fileFromPath, nodeMd5 } from './node.ts';

const bytes = someBytes(1000);
const purpose = 'batch';

describe('upload()', () => {
  test('sends a blob in parts and completes them in the order of the file', async () => {
    const server = await serveUploads();
    const file = new File([bytes], 'a.jsonl', { type: 'application/jsonl' });
    const upload = await server.uploads.upload({ file, purpose, partSize: 300 });
    expect(upload.file).toMatchObject({ id: 'file-1', bytes: 1000 });
    expect(server.content()).toEqual(Buffer.from(bytes));
    expect(server.recorded[0]?.json).toEqual({
      filename: 'a.jsonl',
      bytes: 1000,
      mime_type: 'application/jsonl',
      purpose,
    });
    expect([...server.parts.values()].map(({ length }) => length).sort((a, b) => a - b)).toEqual([100, 300, 300, 300]);
    expect(server.recorded.at(-1)?.json).not.toHaveProperty('md5');
  });

  test('any bytes, part size, concurrency and kind of source yield the same content', async () => {
    const server = await serveUploads();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 7, max: 250 }),
        fc.integer({ min: 1, max: 6 }),
        fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
        async (content, partSize, concurrency, chunk) => {
          const whole = new Uint8Array(content);
          const file = chunk === undefined ? new Blob([whole]) : { stream: streamOf(whole, chunk), size: whole.length };
          await server.uploads.upload({ file, purpose, partSize, concurrency, md5: nodeMd5 });
          expect(server.content()).toEqual(Buffer.from(whole));
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([true, nodeMd5, md5(bytes)])('sends the checksum for verification: %s', async (option) => {
    for (const file of [new Blob([bytes]), { stream: streamOf(bytes), size: 1000 }]) {
      const server = await serveUploads();
      await server.uploads.upload({ file, purpose, partSize: 64, md5: option });
      expect(server.recorded.at(-1)?.json).toHaveProperty('md5', md5(bytes));
    }
  });

  test('sends at most `concurrency` parts concurrently', async () => {
    const three = gate();
    const server = await serveUploads(async (_, count) => {
      if (count === 3) three.open();
      // The first parts are always in flight together, even on a slow machine.
      await (count <= 3 ? three.opened : new Promise((resolve) => setTimeout(resolve, 20)));
      return undefined;
    });
    await server.uploads.upload({ file: new Blob([bytes]), purpose, partSize: 100, concurrency: 3 });
    expect(server.mostAtOnce()).toBe(3);
  });

  test('reads a stream no further than the parts being sent', async () => {
    let read = 0;
    const counted = streamOf(bytes, 50, (length) => (read += length));
    const ahead: number[] = [];
    const server = await serveUploads(async (_, count) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      ahead.push(read - (count - 1) * 100);
      return undefined;
    });
    await server.uploads.upload({ file: { stream: counted, size: 1000 }, purpose, partSize: 100, concurrency: 2 });
    expect(Math.max(...ahead)).toBeLessThanOrEqual(300);
  });

  test('retries each part separately', async () => {
    const server = await serveUploads((_, count) => (count % 2 === 0 ? 503 : undefined));
    await server.uploads.upload({ file: new Blob([bytes]), purpose, partSize: 200, concurrency: 1 });
    expect(server.content()).toEqual(Buffer.from(bytes));
    expect(server.parts.size).toBe(5);
  });

  test('reports only acknowledged bytes', async () => {
    const server = await serveUploads((_, count) => (count === 2 ? 503 : undefined));
    const seen: UploadProgress[] = [];
    await server.uploads.upload({
      file: new Blob([bytes]),
      purpose,
      partSize: 400,
      concurrency: 1,
      onProgress: (progress) => {
        seen.push(progress);
        expect([...server.parts.values()].reduce((sum, { length }) => sum + length, 0)).toBe(progress.bytes);
      },
    });
    expect(seen.map(({ bytes, total, parts, totalParts }) => [bytes, total, parts, totalParts])).toEqual([
      [0, 1000, 0, 3],
      [400, 1000, 1, 3],
      [800, 1000, 2, 3],
      [1000, 1000, 3, 3],
    ]);
    expect(seen[0]?.state.part_ids).toEqual([null, null, null]);
  });

  test('uploads a file by its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modelwire-uploads-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'lines.jsonl'), bytes);
    const server = await serveUploads();
    await server.uploads.upload({ ...(await fileFromPath(join(folder, 'lines.jsonl'))), purpose, md5: nodeMd5 });
    expect(server.content()).toEqual(Buffer.from(bytes));
    expect(server.recorded[0]?.json).toMatchObject({ filename: 'lines.jsonl', mime_type: 'application/octet-stream' });
  });

  test.each([
    [{ size: 999 }, 'more than'],
    [{ size: 1001 }, 'fewer than'],
  ])('rejects a stream of another length than declared: %j', async ({ size }, message) => {
    const server = await serveUploads();
    const call = server.uploads.upload({ file: { stream: streamOf(bytes), size }, purpose, partSize: 300 });
    await expect(call).rejects.toMatchObject({ name: 'InputError', param: 'file' });
    await expect(call).rejects.toThrow(message);
    expect(server.recorded.some(({ path }) => path.endsWith('/complete'))).toBe(false);
  });

  test('sends nothing for invalid options', async () => {
    const server = await serveUploads();
    const { uploads } = server;
    const tooLarge = { stream: streamOf(bytes), size: 8 * 1024 ** 3 + 1 };
    await expect(uploads.upload({ file: tooLarge, purpose })).rejects.toMatchObject({ param: 'file' });
    const none = uploads.upload({ file: new Blob(['x']), purpose, concurrency: 0 });
    await expect(none).rejects.toMatchObject({ param: 'concurrency' });
    expect([server.recorded.length, none.state()]).toEqual([0, undefined]);
  });

  test('rejects a stream with bytes when 0 bytes were declared', async () => {
    const { uploads, recorded } = await serveUploads();
    const call = uploads.upload({ file: { stream: streamOf(bytes), size: 0 }, purpose });
    await expect(call).rejects.toMatchObject({ name: 'InputError', param: 'file' });
    expect(recorded.some(({ path }) => path.endsWith('/complete'))).toBe(false);
  });

  test('an error of the source is the cause', async () => {
    const server = await serveUploads();
    const cause = new Error('disk gone');
    const stream = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(cause) });
    const call = server.uploads.upload({ file: { stream, size: 10 }, purpose });
    await expect(call).rejects.toMatchObject({ name: 'ModelwireError', cause });
  });
});
