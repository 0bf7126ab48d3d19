import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbortError, BadRequestError, ConnectionError, NotFoundError } from '@modelwire/uploads';
import type { UploadProgress, UploadState } from '@modelwire/uploads';
import { fileFromPath, nodeMd5 } from '@modelwire/uploads/node';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { createClients, startWithClients } from '../testing/clients.ts';
import type { Clients } from '../testing/clients.ts';
import { startTestServer } from '../testing/test-server.ts';

const MiB = 1024 ** 2;
const purpose = 'user_data';

const folder = mkdtempSync(join(tmpdir(), 'modelwire-upload-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Without repetitions, so that its order can be verified. */
const medium = Buffer.concat(Array.from({ length: 11 }, () => randomBytes(MiB))).subarray(7);
const path = join(folder, 'medium.bin');
writeFileSync(path, medium);

const { server, clients } = await startWithClients();

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

async function md5Of(clients: Clients, fileId: string | undefined): Promise<string> {
  const hash = createHash('md5');
  const { body } = await clients.files.content(fileId ?? '');
  for await (const chunk of body as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

describe('upload', () => {
  test('uploads 40 MB from a path in parallel parts, verified, with progress', async () => {
    const big = join(folder, 'big.bin');
    const hash = createHash('md5');
    for (let n = 0; n < 4; n++) writeFileSync(big, medium, { flag: 'a' });
    for (let n = 0; n < 4; n++) hash.update(medium);
    const total = 4 * medium.length;
    const clients = createClients(server.url);
    const seen: UploadProgress[] = [];
    const storedBytes: Promise<number>[] = [];
    const { uploads } = server.stores.project('default');
    const { file, ...upload } = await clients.uploads.upload({
      ...(await fileFromPath(big, { type: 'application/x-big' })),
      purpose,
      partSize: 8 * MiB,
      md5: nodeMd5,
      onProgress(progress) {
        seen.push(progress);
        const { upload_id, part_ids } = progress.state;
        const acknowledgedIds = part_ids.filter((id) => id !== null);
        storedBytes.push(
          uploads
            .parts(upload_id, acknowledgedIds)
            .then((parts) => parts.reduce((sum, { segment }) => sum + segment.bytes, 0)),
        );
      },
    });
    expect(upload).toMatchObject({ status: 'completed', filename: 'big.bin', bytes: total, purpose });
    expect(file).toMatchObject({ filename: 'big.bin', bytes: total, purpose, status: 'processed' });
    const parts = Math.ceil(total / (8 * MiB));
    expect(clients.partsSent()).toBe(parts);
    // Every part in the state was acknowledged: the server had these parts.
    expect(await Promise.all(storedBytes)).toEqual(seen.map(({ bytes }) => bytes));
    expect(seen.map((each) => each.parts)).toEqual(Array.from({ length: parts + 1 }, (_, n) => n));
    expect(seen.at(-1)).toMatchObject({ bytes: total, total, parts, totalParts: parts });
    expect(await md5Of(clients, file?.id)).toBe(hash.digest('hex'));
    const { headers } = await clients.files.content(file?.id ?? '', { range: { start: 0, end: 1 } });
    expect(headers.get('content-type')).toBe('application/x-big');
  });

  test.each([
    ['a stream', () => ({ stream: new Blob([medium]).stream(), size: medium.length })],
    ['a File', () => new File([medium], 'medium.bin')],
  ])('uploads %s, verified by WebAssembly', async (_, file) => {
    const { file: uploadedFile } = await clients.uploads.upload({ file: file(), purpose, partSize: MiB, md5: true });
    expect(await md5Of(clients, uploadedFile?.id)).toBe(md5(medium));
  });

  test('sets the expiry of its file', async () => {
    const { file } = await clients.uploads.upload({
      file: new Blob(['x']),
      purpose,
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    expect(file?.expires_at).toBe((file?.created_at ?? 0) + 3600);
  });

  test('resends a part after a lost connection, before or after the server received it', async () => {
    const proxy = await breakingProxy(server.url);
    const through = createClients(proxy.url);
    // One for each concurrent part.
    proxy.breaks.push(
      { sender: 'client', bytes: MiB / 2 },
      { sender: 'client', bytes: MiB / 4 },
      { sender: 'server', bytes: 20 },
      { sender: 'server', bytes: 20 },
    );
    const seen: number[] = [];
    const { file } = await through.uploads.upload({
      file: new Blob([medium]),
      purpose,
      partSize: MiB,
      md5: nodeMd5,
      onProgress: ({ bytes }) => seen.push(bytes),
    });
    expect([proxy.broken(), through.partsSent()]).toEqual([4, 11 + 4]);
    expect([seen.length, seen.at(-1)]).toEqual([12, medium.length]);
    expect(await md5Of(clients, file?.id)).toBe(md5(medium));
  });
});

test('a part that is too large is a PayloadTooLargeError, not a broken connection', async () => {
  const { id } = await clients.uploads.create({ filename: 'a', bytes: 1, mime_type: 'text/plain', purpose });
  const mebibyte = medium.subarray(0, MiB);
  const data = new Blob(Array.from({ length: 65 }, () => mebibyte));
  const refused = clients.uploads.parts.create(id, { data }, { maxRetries: 0 });
  await expect(refused).rejects.toMatchObject({
    name: 'PayloadTooLargeError',
    code: 'request_too_large',
    param: 'data',
  });
});

describe('an interrupted upload', () => {
  /** Aborted after this many parts were acknowledged; the state as it would be stored on disk. */
  async function abortAfter(parts: number, more = {}): Promise<UploadState> {
    const controller = new AbortController();
    const run = clients.uploads.upload({
      ...(await fileFromPath(path)),
      purpose,
      partSize: MiB,
      signal: controller.signal,
      onProgress(progress) {
        if (progress.parts >= parts) controller.abort();
      },
      ...more,
    });
    await expect(run).rejects.toBeInstanceOf(AbortError);
    return JSON.parse(JSON.stringify(run.state() ?? null)) as UploadState;
  }

  test('resumes from its state and sends only missing parts', async () => {
    const state = await abortAfter(4);
    const has = state.part_ids.filter((id) => id !== null).length;
    expect(has).toBeGreaterThanOrEqual(4);
    expect(has).toBeLessThan(11);
    const again = createClients(server.url);
    const seen: number[] = [];
    const done = await again.uploads.upload({
      ...(await fileFromPath(path)),
      purpose,
      resume: state,
      md5: nodeMd5,
      onProgress: ({ parts }) => seen.push(parts),
    });
    expect([done.id, done.status]).toEqual([state.upload_id, 'completed']);
    expect(seen[0]).toBe(has);
    expect(again.sent.map(({ path }) => path).toSorted()).toEqual([
      `/uploads/${state.upload_id}/complete`,
      ...Array.from({ length: 11 - has }, () => `/uploads/${state.upload_id}/parts`),
    ]);
    expect(await md5Of(clients, done.file?.id)).toBe(md5(medium));
  });

  test('is not resumed if it was cancelled on the server', async () => {
    expect(await abortAfter(2, { cancelOnAbort: true })).toBe(null);
    const cancelled = clients.sent.at(-1)?.path ?? '';
    expect(cancelled).toMatch(/^\/uploads\/upload_\w+\/cancel$/);
    const id = cancelled.split('/')[2] ?? '';
    expect((await server.stores.project('default').uploads.get(id))?.upload.status).toBe('cancelled');
  });

  test('is refused by its checksum if the content differs', async () => {
    const resume = await abortAfter(4);
    const other = Buffer.from(medium);
    other[0] = (other[0] ?? 0) ^ 1;
    const run = clients.uploads.upload({ file: new Blob([other]), purpose, resume, md5: nodeMd5 });
    await expect(run).rejects.toMatchObject({ name: 'BadRequestError', param: 'md5' });
  });

  test('returns the same file if it was completed and the response was lost', async () => {
    const lost = createClients(server.url, {
      maxRetries: 0,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!url.endsWith('/complete')) return response;
        await response.body?.cancel();
        throw new TypeError('the answer was lost');
      },
    });
    const file = new Blob([medium]);
    const run = lost.uploads.upload({ file, purpose, md5: nodeMd5 });
    await expect(run).rejects.toBeInstanceOf(ConnectionError);
    const clients = createClients(server.url);
    const done = await clients.uploads.upload({ file, purpose, resume: run.state(), md5: nodeMd5 });
    expect([done.status, done.id, clients.sent.length]).toEqual(['completed', run.state()?.upload_id, 1]);
    expect(await md5Of(clients, done.file?.id)).toBe(md5(medium));
  });

  test('is refused after it has expired', async () => {
    const brief = await startTestServer({ videos: false, moderation: false, uploadExpiresMs: 1000 });
    onTestFinished(() => brief.stop());
    const { uploads } = createClients(brief.url);
    const { id, expires_at } = await uploads.create({ filename: 'a', bytes: 2, mime_type: 'text/plain', purpose });
    const resume = { upload_id: id, bytes: 2, part_size: 1, part_ids: [null, null], expires_at };
    await expect
      .poll(() => uploads.upload({ file: new Blob(['ab']), purpose, resume }).catch((error: unknown) => error))
      .toMatchObject({ name: 'BadRequestError', code: 'invalid_state' });
  });
});

test('refuses a wrong checksum and accepts the right one afterwards', async () => {
  const clients = createClients(server.url);
  const file = new Blob([medium]);
  const run = clients.uploads.upload({ file, purpose, md5: '0'.repeat(32) });
  const refused = await run.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(refused).toMatchObject({ param: 'md5', requestId: expect.stringMatching(/^req_/) as string });
  const before = clients.partsSent();
  const done = await clients.uploads.upload({ file, purpose, resume: run.state(), md5: md5(medium) });
  expect([done.status, clients.partsSent()]).toEqual(['completed', before]);
});

test('the low-level methods create, complete and cancel an upload', async () => {
  const { uploads } = clients;
  const begin = () => uploads.create({ filename: 'a.txt', bytes: 6, mime_type: 'text/plain', purpose });
  const upload = await begin();
  expect(upload).toMatchObject({ object: 'upload', status: 'pending', bytes: 6, expires_at: upload.created_at + 3600 });
  const second = await uploads.parts.create(upload.id, { data: new Blob(['def']) });
  const first = await uploads.parts.create(upload.id, { data: new Blob(['abc']) });
  expect(first).toMatchObject({ object: 'upload.part', upload_id: upload.id });
  const short = uploads.complete(upload.id, { part_ids: [first.id] });
  await expect(short).rejects.toBeInstanceOf(BadRequestError);
  const params = { part_ids: [first.id, second.id], md5: md5(Buffer.from('abcdef')) };
  const done = await uploads.complete(upload.id, params);
  expect(await (await clients.files.content(done.file?.id ?? '')).text()).toBe('abcdef');
  expect(await uploads.complete(upload.id, params)).toEqual(done);
  await expect(uploads.cancel(upload.id)).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  const { id } = await begin();
  expect(await uploads.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  const latePart = uploads.parts.create(id, { data: new Blob(['x']) });
  await expect(latePart).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  await expect(uploads.cancel('upload_none')).rejects.toBeInstanceOf(NotFoundError);
});
