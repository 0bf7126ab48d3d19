import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, json, serveClient } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { AbortError, createFiles, NotFoundError, PayloadTooLargeError } from './index.ts';
import type { FileObject } from './index.ts';

const stored = { id: 'file-1', object: 'file', bytes: 3, created_at: 1, filename: 'a.txt', purpose: 'novel' };

async function serve(respond: Respond = (response) => json(response, stored)) {
  const { client: files, recorded } = await serveClient(createFiles, respond);
  return { files, recorded };
}

describe('create()', () => {
  test('sends a File with its name and type, the purpose and the expiry', async () => {
    const { files, recorded } = await serve();
    const file = new File(['abc'], 'a.txt', { type: 'text/plain' });
    const made = await files.create({ file, purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 3600 } });
    expectTypeOf(made).toEqualTypeOf<FileObject>();
    expect(made).toEqual(stored);
    expect(recorded).toMatchObject([
      {
        method: 'POST',
        path: '/files',
        headers: { authorization: 'Bearer test-key' },
        fields: { purpose: 'batch', 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' },
        files: { file: { filename: 'a.txt', type: 'text/plain', bytes: Buffer.from('abc') } },
      },
    ]);
    expect(Object.keys(recorded[0]!.fields)).toHaveLength(3);
  });

  test('sends a Node stream under the name of its file, and a web stream, both without a retry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modelwire-files-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'b.txt');
    await writeFile(path, 'from disk');
    const { files, recorded } = await serve((response, _, count) => json(response, stored, count < 3 ? 200 : 503));
    await files.create({ file: createReadStream(path), purpose: 'user_data' });
    await files.create({ file: new Blob(['from memory']).stream(), purpose: 'user_data' });
    await expect(files.create({ file: createReadStream(path), purpose: 'user_data' })).rejects.toMatchObject({
      status: 503,
    });
    expect(recorded.map((each) => each.files['file'])).toMatchObject([
      { filename: 'b.txt', bytes: Buffer.from('from disk') },
      { filename: 'blob', bytes: Buffer.from('from memory') },
      { filename: 'b.txt' },
    ]);
    expect(recorded).toHaveLength(3);
  });

  test('sends a file on disk under the given name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modelwire-files-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'x'), 'on disk');
    const { files, recorded } = await serve();
    await files.create({ file: await openAsBlob(join(folder, 'x')), filename: 'x.jsonl', purpose: 'batch' });
    expect(recorded[0]!.files['file']).toEqual({
      filename: 'x.jsonl',
      type: 'application/octet-stream',
      bytes: Buffer.from('on disk'),
    });
  });

  test('retries the same request with the same idempotency key', async () => {
    const { files, recorded } = await serve((response, _, count) => json(response, stored, count < 3 ? 503 : 200));
    await files.create({ file: { stream: () => new Blob(['abc']).stream(), type: 'text/plain' }, purpose: 'vision' });
    expect(recorded.map(({ files: { file } }) => [file?.filename, file?.type, file?.bytes.toString()])).toEqual(
      Array(3).fill(['blob', 'text/plain', 'abc']),
    );
    expect(new Set(recorded.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('does not retry a stream', async () => {
    const { files, recorded } = await serve((response) => json(response, {}, 503));
    const call = files.create({ file: { stream: new Blob(['abc']).stream() }, filename: 'f', purpose: 'vision' });
    await expect(call).rejects.toMatchObject({ status: 503 });
    expect(recorded).toHaveLength(1);
  });

  test('aborts with the signal, and cancels the stream', async () => {
    const { files } = await serve();
    const controller = new AbortController();
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(source) {
          source.enqueue(new Uint8Array(1000));
          setTimeout(() => controller.abort(), 10);
          return new Promise((resolve) => setTimeout(resolve, 20));
        },
        cancel: () => void (cancelled = true),
      },
      { highWaterMark: 0 },
    );
    const call = files.create({ file: { stream }, purpose: 'vision' }, { signal: controller.signal });
    await expect(call).rejects.toBeInstanceOf(AbortError);
    await expect.poll(() => cancelled).toBe(true);
  });

  test('rejects with a typed error for an error response', async () => {
    const { files } = await serve((response) => json(response, { error: { message: 'Too large.' } }, 413));
    await expect(files.create({ file: new Blob(['x']), purpose: 'vision' })).rejects.toBeInstanceOf(
      PayloadTooLargeError,
    );
  });
});

test('list() iterates all pages with the query, and returns one page when awaited', async () => {
  const { files, recorded } = await serve((response, { path }) => {
    const last = path.includes('after=file-2');
    const data = last ? [{ ...stored, id: 'file-3' }] : [stored, { ...stored, id: 'file-2' }];
    json(response, { object: 'list', data, has_more: !last, last_id: data.at(-1)?.id });
  });
  expect((await files.list()).data).toHaveLength(2);
  const ids = (await collect(files.list({ purpose: 'batch', limit: 2, order: 'asc' }))).map(({ id }) => id);
  expect(ids).toEqual(['file-1', 'file-2', 'file-3']);
  expect(recorded.map(({ path }) => path)).toEqual([
    '/files',
    '/files?purpose=batch&limit=2&order=asc',
    '/files?purpose=batch&limit=2&order=asc&after=file-2',
  ]);
});

test('retrieve() and delete() send the ID of the file', async () => {
  const { files, recorded } = await serve();
  expect(await files.retrieve('file-1')).toEqual(stored);
  await files.delete('file/1');
  expect(recorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /files/file-1',
    'DELETE /files/file%2F1',
  ]);
});

describe('content()', () => {
  test('returns a Response of all bytes or of a range', async () => {
    const { files, recorded } = await serve((response, { headers: { range } }) => {
      response.writeHead(range === undefined ? 200 : 206, { 'content-type': 'text/plain' });
      response.end(range === undefined ? 'all of it' : 'part');
    });
    const whole = await files.content('file-1');
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
      200,
      'text/plain',
      'all of it',
    ]);
    expect((await (await files.content('file-1')).blob()).size).toBe(9);
    const part = await files.content('file-1', { range: { start: 5 } });
    expect([part.status, await part.text()]).toEqual([206, 'part']);
    expect(recorded.map(({ path, headers: { range } }) => [path, range])).toEqual([
      ['/files/file-1/content', undefined],
      ['/files/file-1/content', undefined],
      ['/files/file-1/content', 'bytes=5-'],
    ]);
  });

  test('resumes when the connection fails', async () => {
    const { files, recorded } = await serve((response, { headers: { range } }) => {
      if (range === undefined) {
        response.writeHead(200, { 'content-length': 10, etag: '"1"' });
        response.write('01234', () => setTimeout(() => response.destroy(), 5));
      } else {
        response.writeHead(206, { 'content-range': 'bytes 5-9/10' });
        response.end('56789');
      }
    });
    expect(await (await files.content('file-1')).text()).toBe('0123456789');
    expect(recorded[1]?.headers).toMatchObject({ range: 'bytes=5-9', 'if-range': '"1"' });
  });

  test('rejects with a typed error for an unknown file', async () => {
    const { files } = await serve((response) => json(response, { error: { message: 'No such file.' } }, 404));
    await expect(files.content('file-9')).rejects.toBeInstanceOf(NotFoundError);
  });
});
