import { randomBytes } from 'node:crypto';
import { ConnectionError, InputError, NotFoundError } from '@modelwire/files';
import { beforeAll, describe, expect, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { createClients, startWithClients } from '../testing/clients.ts';

const purpose = 'user_data';
const large = randomBytes(3_000_000);

const { server, clients } = await startWithClients();

/** In pieces, each produced on demand. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += 50_000)));
    },
  });
}

const contentOf = async (id: string) => Buffer.from(await (await clients.files.content(id)).arrayBuffer());

describe('create', () => {
  test('uploads a File with its name and type', async () => {
    const file = new File(['hello world'], 'größe 1; a=b.txt', { type: 'text/plain' });
    const { data, requestId, attempts, response } = await clients.files.create({ file, purpose }).withResponse();
    expect(data).toEqual({
      id: expect.stringMatching(/^file-/) as string,
      object: 'file',
      bytes: 11,
      created_at: expect.any(Number) as number,
      expires_at: null,
      filename: 'größe 1; a=b.txt',
      purpose,
      status: 'processed',
    });
    expect([response.status, attempts.length]).toEqual([200, 1]);
    expect(requestId).toMatch(/^req_/);
    expect(await clients.files.retrieve(data.id)).toEqual(data);
    const content = await clients.files.content(data.id);
    expect(content.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await content.text()).toBe('hello world');
  });

  test('uploads a Blob with an expiry', async () => {
    const created = await clients.files.create({
      file: new Blob([large]),
      filename: 'large.bin',
      purpose,
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    expect([created.filename, created.expires_at]).toEqual(['large.bin', created.created_at + 3600]);
    expect((await contentOf(created.id)).equals(large)).toBe(true);
  });

  test('uploads a stream, and a function that returns one', async () => {
    for (const stream of [streamOf(large), () => streamOf(large)]) {
      const created = await clients.files.create({ file: { stream, type: 'text/csv' }, purpose });
      expect([created.bytes, created.filename]).toEqual([large.length, 'blob']);
      expect((await contentOf(created.id)).equals(large)).toBe(true);
    }
  });

  test.each([
    ['a Blob', () => new Blob([large])],
    ['a repeatable stream', () => ({ stream: () => streamOf(large) })],
  ])('resends %s after a lost connection and creates one file', async (_, file) => {
    const proxy = await breakingProxy(server.url);
    const apiKey = await server.makeKey({ project: `broken-${_}` });
    const through = createClients(proxy.url, { apiKey });
    proxy.breaks.push({ sender: 'client', bytes: 1_000_000 });
    const { data, attempts } = await through.files.create({ file: file(), purpose }).withResponse();
    expect([attempts.length, proxy.broken()]).toEqual([2, 1]);
    expect((await Array.fromAsync(through.files.list())).map(({ id }) => id)).toEqual([data.id]);
    const content = await (await through.files.content(data.id)).arrayBuffer();
    expect(Buffer.from(content).equals(large)).toBe(true);
  });

  test('creates one file if the connection is lost before the response', async () => {
    const proxy = await breakingProxy(server.url);
    const apiKey = await server.makeKey({ project: 'unanswered' });
    const through = createClients(proxy.url, { apiKey });
    proxy.breaks.push({ sender: 'server', bytes: 10 });
    const { data, attempts } = await through.files.create({ file: new Blob(['x']), purpose }).withResponse();
    expect(attempts).toHaveLength(2);
    expect((await Array.fromAsync(through.files.list())).map(({ id }) => id)).toEqual([data.id]);
  });

  test('does not resend a stream that can only be read once', async () => {
    const proxy = await breakingProxy(server.url);
    proxy.breaks.push({ sender: 'client', bytes: 1_000_000 });
    const through = createClients(proxy.url);
    const creating = through.files.create({ file: { stream: streamOf(large) }, purpose });
    await expect(creating).rejects.toBeInstanceOf(ConnectionError);
    expect(through.sent).toHaveLength(1);
  });
});

describe('create that is refused during the upload', () => {
  const half = new Blob(Array.from({ length: 64 }, () => large.subarray(0, 500_000)));
  const huge = new Blob(Array.from({ length: 20 }, () => half));
  const repeatable = (blob: Blob) => ({ stream: () => blob.stream() });

  test.each([
    ['a Blob', half],
    ['a stream', repeatable(half)],
  ])('throws the reason rather than a connection error: %s with an invalid key', async (_, file) => {
    const { files } = createClients(server.url, { apiKey: 'sk-wrong', maxRetries: 0 });
    for (let n = 0; n < 3; n++) {
      await expect(files.create({ file, purpose })).rejects.toMatchObject({ name: 'AuthenticationError' });
    }
  });

  test('throws the reason rather than a connection error: a Blob of 640 MB', async () => {
    const creating = clients.files.create({ file: huge, purpose }, { maxRetries: 0 });
    await expect(creating).rejects.toMatchObject({ name: 'PayloadTooLargeError', param: 'file' });
  });

  test('throws the reason rather than a connection error: a purpose that does not exist', async () => {
    const wrong = JSON.parse('"nothing"') as 'vision';
    for (const file of [half, repeatable(half)]) {
      const creating = clients.files.create({ file, purpose: wrong }, { maxRetries: 0 });
      await expect(creating).rejects.toMatchObject({ name: 'BadRequestError', param: 'purpose' });
    }
  });
});

test('list returns a page, all pages, or all files, newest first by default', async () => {
  const { files, sent } = createClients(server.url, { apiKey: await server.makeKey({ project: 'pages' }) });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const file = new Blob([String(n)]);
    ids.unshift((await files.create({ file, purpose: n % 2 === 0 ? 'vision' : 'evals' })).id);
  }
  const before = sent.length;
  const seen: string[] = [];
  for await (const { id } of files.list({ limit: 2 })) seen.push(id);
  expect(seen).toEqual(ids);
  expect(sent.slice(before).map(({ path }) => path)).toEqual([
    '/files?limit=2',
    `/files?limit=2&after=${ids[1]}`,
    `/files?limit=2&after=${ids[3]}`,
  ]);
  expect(await files.list({ limit: 2 })).toMatchObject({ object: 'list', first_id: ids[0], has_more: true });
  const pages = await Array.fromAsync(files.list({ limit: 2, order: 'asc' }).pages());
  expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
  const evals = await Array.fromAsync(files.list({ limit: 1, purpose: 'evals', after: ids[2] }));
  expect(evals.map(({ id }) => id)).toEqual([ids[3]]);
});

describe('content', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await clients.files.create({ file: new Blob([large]), purpose }));
  });

  test('is a stream that ends when its reader stops', async () => {
    const { body } = await clients.files.content(id);
    let read = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      read = chunk.length;
      break;
    }
    expect(body?.locked).toBe(false);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(large.length);
  });

  test.each([
    [{ start: 0, end: 6 }, large.subarray(0, 6)],
    [{ start: 2_999_000 }, large.subarray(2_999_000)],
    [{ start: -7 }, large.subarray(-7)],
    [{ start: 2_999_999, end: 5_000_000 }, large.subarray(-1)],
  ])('of a range: %j', async (range, expected) => {
    const content = await clients.files.content(id, { range });
    expect(content.status).toBe(206);
    expect(Buffer.from(await content.arrayBuffer()).equals(expected)).toBe(true);
  });

  test('throws a 416 for a range outside of the file', async () => {
    await expect(clients.files.content(id, { range: { start: 3_000_000 } })).rejects.toMatchObject({ status: 416 });
    await expect(clients.files.content(id, { range: { start: 5, end: 5 } })).rejects.toBeInstanceOf(InputError);
  });

  test('resumes after every lost connection', async () => {
    const proxy = await breakingProxy(server.url);
    const through = createClients(proxy.url);
    proxy.breaks.push(...[900_000, 600_000, 300, 700_000].map((bytes) => ({ sender: 'server' as const, bytes })));
    const content = await through.files.content(id);
    expect(Buffer.from(await content.arrayBuffer()).equals(large)).toBe(true);
    expect(proxy.broken()).toBe(4);
    const starts = through.sent.map(({ range }) => Number(/^bytes=(\d+)-2999999$/.exec(range ?? '')?.[1] ?? 0));
    expect(starts[0]).toBe(0);
    expect(starts.at(-1)).toBeGreaterThan(1_000_000);
    expect(starts.toSorted((a, b) => a - b)).toEqual(starts);
  });

  test('resumes within a range', async () => {
    const proxy = await breakingProxy(server.url);
    const through = createClients(proxy.url);
    proxy.breaks.push({ sender: 'server', bytes: 500_000 });
    const content = await through.files.content(id, { range: { start: 1_000_000, end: 2_000_000 } });
    expect(content.status).toBe(206);
    expect(Buffer.from(await content.arrayBuffer()).equals(large.subarray(1_000_000, 2_000_000))).toBe(true);
    expect(through.sent).toHaveLength(2);
    expect(through.sent[1]?.range).toMatch(/^bytes=1\d{6}-1999999$/);
  });

  test('throws if it cannot be resumed or the file was deleted', async () => {
    const proxy = await breakingProxy(server.url);
    proxy.breaks.push({ sender: 'server', bytes: 500_000 }, { sender: 'server', bytes: 500_000 });
    const through = createClients(proxy.url);
    const partialBytes = await through.files.content(id, { maxRetries: 0 });
    await expect(partialBytes.arrayBuffer()).rejects.toBeInstanceOf(ConnectionError);
    const deletedFile = await clients.files.create({ file: new Blob([large]), purpose });
    const content = await through.files.content(deletedFile.id);
    await clients.files.delete(deletedFile.id);
    await expect(content.arrayBuffer()).rejects.toBeInstanceOf(NotFoundError);
  });
});

test('delete removes a file', async () => {
  const { id } = await clients.files.create({ file: new Blob(['x']), purpose });
  expect(await clients.files.delete(id)).toEqual({ id, object: 'file', deleted: true });
  await expect(clients.files.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(clients.files.content(id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(clients.files.delete(id)).rejects.toMatchObject({ status: 404, code: 'not_found', param: 'file_id' });
});
