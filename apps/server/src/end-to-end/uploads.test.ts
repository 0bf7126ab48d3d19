import { createHash, randomBytes } from 'node:crypto';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { boundary, chunk, fileHead, formEnd, formType, openRaw, rawHead } from '../testing/raw-http.ts';
import { clientOf, key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const partMaxBytes = 64 * 1024 * 1024;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');
const begin = (bytes: number, init: Partial<OpenAI.UploadCreateParams> = {}) =>
  server.client.uploads.create({ filename: 'a.bin', bytes, mime_type: 'text/csv', purpose: 'user_data', ...init });
const add = async (upload: string, bytes: Uint8Array | string, client = server.client) =>
  (await client.uploads.parts.create(upload, { data: await toFile(Buffer.from(bytes)) })).id;
const complete = (upload: string, part_ids: string[], sum?: string) =>
  server.client.uploads.complete(upload, { part_ids, ...(sum !== undefined && { md5: sum }) });
const contentOf = async (file: string | undefined) =>
  Buffer.from(await (await server.client.files.content(file ?? '')).arrayBuffer());

async function refused(request: Promise<unknown>) {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenAI.APIError)) throw new Error('not refused', { cause: error });
  const { status, code, param, message } = error as InstanceType<typeof OpenAI.APIError>;
  return { status, code, param, message };
}

const wrongState = { status: 400, code: 'invalid_state' };

describe('an upload', () => {
  test('starts as pending and expires after an hour', async () => {
    const upload = await begin(3);
    expect(upload).toEqual({
      id: expect.stringMatching(/^upload_[0-9a-f]{32}$/) as string,
      object: 'upload',
      created_at: expect.any(Number) as number,
      expires_at: upload.created_at + 3600,
      filename: 'a.bin',
      bytes: 3,
      purpose: 'user_data',
      status: 'pending',
    });
  });

  test('becomes a file with its parts in the order of part_ids, sent concurrently in any order', async () => {
    const pieces = Array.from({ length: 12 }, () => randomBytes(100_000));
    const whole = Buffer.concat(pieces);
    const upload = await begin(whole.length);
    const ids = new Map<number, string>();
    await Promise.all(
      pieces
        .map((piece, index) => ({ piece, index }))
        .toReversed()
        .map(async ({ piece, index }) => ids.set(index, await add(upload.id, piece))),
    );
    const order = pieces.map((_, index) => ids.get(index) ?? '');
    const done = await complete(upload.id, order, md5(whole).toUpperCase());
    expect(done).toEqual({ ...upload, status: 'completed', file: expect.any(Object) as object });
    expect(done.file).toMatchObject({
      object: 'file',
      bytes: whole.length,
      filename: 'a.bin',
      purpose: 'user_data',
      status: 'processed',
    });
    expect((await contentOf(done.file?.id)).equals(whole)).toBe(true);
    const { headers } = await server.client.files.content(done.file?.id ?? '');
    expect(headers.get('content-type')).toBe('text/csv');
    const across = await fetch(`${server.url}/v1/files/${done.file?.id}/content`, {
      headers: { authorization: `Bearer ${key}`, range: 'bytes=99990-300009' },
    });
    expect(Buffer.from(await across.arrayBuffer()).equals(whole.subarray(99_990, 300_010))).toBe(true);
  });

  test('of many megabytes is verified by its checksum', async () => {
    const pieces = [randomBytes(9_000_001), randomBytes(7_000_003)];
    const upload = await begin(16_000_004);
    const ids = [await add(upload.id, pieces[0] ?? ''), await add(upload.id, pieces[1] ?? '')];
    expect(await refused(complete(upload.id, ids, md5(Buffer.concat(pieces.toReversed()))))).toMatchObject({
      status: 400,
      param: 'md5',
    });
    expect((await complete(upload.id, ids, md5(Buffer.concat(pieces)))).status).toBe('completed');
  });

  test.each([
    ['the order in which they were sent', (ids: string[]) => ids],
    ['another order', (ids: string[]) => ids.toReversed()],
  ])('whose parts are hashed as they arrive is verified with parts in %s', async (_, order) => {
    const first = await begin(3);
    await complete(first.id, [await add(first.id, 'abc')], md5(Buffer.from('abc')));
    const pieces = Array.from({ length: 6 }, () => randomBytes(3_000_001));
    const upload = await begin(18_000_006);
    const ids = await Promise.all(pieces.map((piece) => add(upload.id, piece)));
    const contents = new Map(ids.map((id, index) => [id, pieces[index] ?? Buffer.of()]));
    const ordered = order(ids);
    const sum = md5(Buffer.concat(ordered.map((id) => contents.get(id) ?? Buffer.of())));
    expect(await refused(complete(upload.id, ordered.toReversed(), sum))).toMatchObject({ status: 400, param: 'md5' });
    expect((await complete(upload.id, ordered, sum)).status).toBe('completed');
  });

  test('of 0 bytes becomes an empty file, without parts', async () => {
    const upload = await begin(0);
    expect(await refused(complete(upload.id, [await add((await begin(1)).id, 'x')]))).toMatchObject({
      status: 400,
      param: 'part_ids[0]',
    });
    const { status, file } = await complete(upload.id, [], md5(Buffer.alloc(0)));
    expect([status, file?.bytes, (await contentOf(file?.id)).length]).toEqual(['completed', 0, 0]);
    expect((await complete(upload.id, [])).file).toEqual(file);
    expect((await server.client.files.delete(file?.id ?? '')).deleted).toBe(true);
  });

  test('sets the requested expiry of its file', async () => {
    const upload = await begin(1, { expires_after: { anchor: 'created_at', seconds: 7200 } });
    const { file } = await complete(upload.id, [await add(upload.id, 'x')]);
    expect(file?.expires_at).toBe((file?.created_at ?? 0) + 7200);
  });

  test('of another project returns 404, and so do its parts', async () => {
    const other = clientOf(server.url, await server.makeKey({ project: 'other' }));
    const absent = { status: 404, code: 'not_found', param: 'upload_id' };
    const upload = await begin(1);
    const part = await add(upload.id, 'x');
    expect(await refused(add(upload.id, 'x', other))).toMatchObject(absent);
    expect(await refused(other.uploads.complete(upload.id, { part_ids: [part] }))).toMatchObject(absent);
    expect(await refused(other.uploads.cancel(upload.id))).toMatchObject(absent);
    expect((await complete(upload.id, [part])).status).toBe('completed');
  });

  test.each([
    ['more than 8 GB', { bytes: 8 * 1024 ** 3 + 1 }, 'bytes'],
    ['a negative size', { bytes: -1 }, 'bytes'],
    ['an unknown purpose', { purpose: 'x' as 'vision' }, 'purpose'],
    ['a filename that is too long', { filename: 'x'.repeat(1025) }, 'filename'],
  ])('with %s is refused', async (_, init, param) => {
    expect(await refused(begin(1, init))).toMatchObject({ status: 400, param });
  });
});

describe('completing', () => {
  test.each<[string, (parts: string[], other: string) => string[], string]>([
    ['a part twice', ([a = '', b = '']) => [a, b, a], 'part_ids[2]'],
    ["another upload's part", ([a = ''], other) => [a, other], 'part_ids[1]'],
    ['an unknown part', ([a = '']) => ['part_x', a], 'part_ids[0]'],
    ['no part', () => [], 'part_ids'],
    ['too few bytes', ([a = '']) => [a], 'part_ids'],
  ])('with %s is refused, and the upload is unchanged', async (_, choose, param) => {
    const upload = await begin(4);
    const parts = [await add(upload.id, 'ab'), await add(upload.id, 'cd')];
    const elsewhere = await begin(2);
    const other = await add(elsewhere.id, 'xy');
    expect(await refused(complete(upload.id, choose(parts, other)))).toMatchObject({ status: 400, param });
    const { file } = await complete(upload.id, parts);
    expect((await contentOf(file?.id)).toString()).toBe('abcd');
    expect((await complete(elsewhere.id, [other])).status).toBe('completed');
  });

  test('with another size than declared is refused with both sizes', async () => {
    const upload = await begin(40);
    const error = await refused(complete(upload.id, [await add(upload.id, 'abc')]));
    expect(error.message).toMatch(/\b3 bytes\b.*\b40 bytes\b/);
  });

  test('with an invalid checksum is refused, and the upload is unchanged', async () => {
    const upload = await begin(3);
    const part = await add(upload.id, 'abc');
    for (const sum of [md5(Buffer.from('abd')), 'x', '']) {
      expect(await refused(complete(upload.id, [part], sum))).toMatchObject({ status: 400, param: 'md5' });
    }
    expect((await complete(upload.id, [part], md5(Buffer.from('abc')))).status).toBe('completed');
  });

  test('again with the same parts returns the same response, with others an error', async () => {
    const upload = await begin(4);
    const parts = [await add(upload.id, 'ab'), await add(upload.id, 'cd')];
    const done = await complete(upload.id, parts);
    expect(await complete(upload.id, parts)).toEqual(done);
    expect(await refused(complete(upload.id, parts.toReversed()))).toMatchObject(wrongState);
    expect(await refused(complete(upload.id, parts.slice(1)))).toMatchObject(wrongState);
  });

  test('again with a checksum verifies it, whether or not one was given before', async () => {
    const upload = await begin(3);
    const parts = [await add(upload.id, 'abc')];
    const done = await complete(upload.id, parts);
    expect(await refused(complete(upload.id, parts, md5(Buffer.from('abd'))))).toMatchObject({
      status: 400,
      param: 'md5',
    });
    expect(await complete(upload.id, parts, md5(Buffer.from('abc')))).toEqual(done);
  });

  test('many times concurrently creates one file', async () => {
    const upload = await begin(4);
    const parts = [await add(upload.id, 'ab'), await add(upload.id, 'cd')];
    const done = await Promise.all(
      Array.from({ length: 20 }, () => complete(upload.id, parts, md5(Buffer.from('abcd')))),
    );
    expect(new Set(done.map(({ file }) => file?.id)).size).toBe(1);
    const ids = (await server.client.files.list({ limit: 1000 })).data.map(({ id }) => id);
    expect(ids.filter((id) => id === done[0]?.file?.id)).toHaveLength(1);
  });

  test('without some parts deletes those and keeps the others', async () => {
    const own = await startTestServer();
    onTestFinished(() => own.stop());
    const upload = await own.client.uploads.create({ filename: 'a', bytes: 2, mime_type: 'a/b', purpose: 'evals' });
    const [, second] = [await add(upload.id, 'ab', own.client), await add(upload.id, 'cd', own.client)];
    const { file } = await own.client.uploads.complete(upload.id, { part_ids: [second] });
    expect(await own.stores.ledger.due({ limit: 10 })).toEqual([]);
    expect(await own.stores.ledger.due({ withinMs: 700_000, limit: 10 })).toHaveLength(1);
    expect(await (await own.client.files.content(file?.id ?? '')).text()).toBe('cd');
  });
});

describe('requests that the state of an upload does not allow', () => {
  const ends: [string, (id: string, part: string) => Promise<unknown>][] = [
    ['completed', (id, part) => complete(id, [part])],
    ['cancelled', (id) => server.client.uploads.cancel(id)],
  ];
  test.each(ends)('%s: parts, completing differently, cancelling', async (status, end) => {
    const upload = await begin(1);
    const part = await add(upload.id, 'x');
    const spare = await add(upload.id, 'y');
    expect(await end(upload.id, part)).toMatchObject({ status });
    const message = expect.stringContaining(status) as string;
    expect(await refused(add(upload.id, 'z'))).toMatchObject({ ...wrongState, message });
    expect(await refused(complete(upload.id, [spare]))).toMatchObject({ ...wrongState, message });
    expect(await refused(server.client.uploads.cancel(upload.id))).toMatchObject({ ...wrongState, message });
  });

  test('expired: everything', async () => {
    const brief = await startTestServer({ uploadExpiresMs: 1000 });
    onTestFinished(() => brief.stop());
    const { uploads } = brief.client;
    const upload = await uploads.create({ filename: 'a', bytes: 1, mime_type: 'a/b', purpose: 'evals' });
    await expect.poll(() => Date.now() / 1000, { interval: 50 }).toBeGreaterThan(upload.expires_at);
    const message = expect.stringContaining('expired') as string;
    expect(await refused(add(upload.id, 'z', brief.client))).toMatchObject({ ...wrongState, message });
    expect(await refused(uploads.complete(upload.id, { part_ids: ['part_x'] }))).toMatchObject({
      ...wrongState,
      message,
    });
    expect(await refused(uploads.cancel(upload.id))).toMatchObject({ ...wrongState, message });
  });

  test('are refused before a part is sent', async () => {
    const upload = await begin(1);
    await server.client.uploads.cancel(upload.id);
    for (const [id, status] of [
      [upload.id, 400],
      ['upload_x', 404],
    ] as const) {
      const raw = openRaw(server.url);
      const headers = { 'content-type': formType, 'content-length': partMaxBytes, expect: '100-continue' };
      await raw.write(rawHead(`/v1/uploads/${id}/parts`, headers));
      expect((await raw.answer()).status).toBe(status);
    }
  });
});

describe('a part', () => {
  test('of 64 MB is accepted', async () => {
    const upload = await begin(partMaxBytes);
    const part = await server.client.uploads.parts.create(upload.id, {
      data: await toFile(Buffer.alloc(partMaxBytes)),
    });
    expect(part).toEqual({
      id: expect.stringMatching(/^part_[0-9a-f]{32}$/) as string,
      object: 'upload.part',
      created_at: expect.any(Number) as number,
      upload_id: upload.id,
    });
    expect((await complete(upload.id, [part.id])).status).toBe('completed');
  });

  test('of one byte more returns a 413 that the official SDK reads', async () => {
    const upload = await begin(1);
    for (let n = 0; n < 2; n++) {
      const error = await refused(add(upload.id, Buffer.alloc(partMaxBytes + 1)));
      expect(error).toMatchObject({ status: 413, code: 'request_too_large', param: 'data' });
      expect(error.message).toContain('67108864 bytes (64 MB)');
    }
  });

  test('of undeclared length is refused during the upload', async () => {
    const upload = await begin(1);
    const raw = openRaw(server.url);
    const answer = raw.answer();
    const seen = { answered: false };
    void answer.finally(() => (seen.answered = true)).catch(() => undefined);
    await raw.write(
      rawHead(`/v1/uploads/${upload.id}/parts`, { 'content-type': formType, 'transfer-encoding': 'chunked' }),
    );
    await raw.write(chunk(fileHead('data')));
    const mebibyte = chunk(Buffer.alloc(1024 * 1024));
    let sent = 0;
    for (; !seen.answered && sent < 512; sent++) await raw.write(mebibyte);
    expect((await answer).status).toBe(413);
    expect(sent).toBeLessThan(512);
  });

  test('that would make the upload larger than 8 GB in all is refused', async () => {
    const upload = await begin(5);
    const { uploads } = server.stores.project('default');
    const now = Math.floor(Date.now() / 1000);
    await server.stores.ledger.reserve('blob_large', 60_000);
    const part = { id: 'part_large', object: 'upload.part', created_at: now, upload_id: upload.id } as const;
    const bounds = { now, maxBytes: 8 * 1024 ** 3, maxParts: 10 };
    await uploads.addPart({ part, segment: { key: 'blob_large', bytes: 8 * 1024 ** 3 - 5 } }, bounds);
    expect(await refused(add(upload.id, '123456'))).toMatchObject({ status: 413, param: 'data' });
    expect(await add(upload.id, '12345')).toMatch(/^part_/);
  });

  test('of 0 bytes is accepted', async () => {
    const upload = await begin(1);
    const ids = [await add(upload.id, ''), await add(upload.id, 'x')];
    expect((await contentOf((await complete(upload.id, ids)).file?.id)).toString()).toBe('x');
  });

  test.each([
    ['another field', `${fileHead('file')}x${formEnd}`, 'file', 'unknown_parameter'],
    ['no file', `--${boundary}--\r\n`, 'data', 'missing_required_parameter'],
    [
      'a text field',
      `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n${fileHead('data')}x${formEnd}`,
      'a',
      'unknown_parameter',
    ],
  ])('with %s is refused', async (_, body, param, code) => {
    const upload = await begin(1);
    const response = await fetch(`${server.url}/v1/uploads/${upload.id}/parts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': formType },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param, code } }]);
  });

  test('sent again with its Idempotency-Key returns the same part', async () => {
    const upload = await begin(3);
    const send = async (text: string) =>
      server.client.uploads.parts.create(
        upload.id,
        { data: await toFile(Buffer.from(text)) },
        { headers: { 'idempotency-key': 'part-1' } },
      );
    const first = await send('abc');
    expect(await send('abc')).toEqual(first);
    expect(await refused(send('abd'))).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect((await contentOf((await complete(upload.id, [first.id])).file?.id)).toString()).toBe('abc');
    // Its response may have been lost while the upload was completed by another client.
    expect(await send('abc')).toEqual(first);
    expect(await refused(send('abd'))).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  test('with a new Idempotency-Key after completion is refused, and the key stays unused', async () => {
    const upload = await begin(3);
    const part = await add(upload.id, 'abc');
    await complete(upload.id, [part]);
    const addLatePart = async () =>
      server.client.uploads.parts.create(
        upload.id,
        { data: await toFile(Buffer.from('late')) },
        { headers: { 'idempotency-key': 'part-late' } },
      );
    expect(await refused(addLatePart())).toMatchObject({ status: 400, code: 'invalid_state' });
    expect(await refused(addLatePart())).toMatchObject({ status: 400, code: 'invalid_state' });
  });
});
