import { readdirSync } from 'node:fs';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { boundary, fieldOf, fileHead, formEnd, formType, openRaw, rawHead } from '../testing/raw-http.ts';
import { clientOf, key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const bytesOf = (text: string, name = 'a.txt', type = 'text/plain') => toFile(Buffer.from(text), name, { type });
const create = async (text: string, name?: string, type?: string) =>
  server.client.files.create({ file: await bytesOf(text, name, type), purpose: 'user_data' });
const contentUrl = (id: string) => `${server.url}/v1/files/${id}/content`;
const authorization = `Bearer ${key}`;
const read = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(contentUrl(id), { method, headers: { authorization, ...headers } });

async function refused(request: Promise<unknown>) {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenAI.APIError)) throw new Error('not refused', { cause: error });
  const { status, code, param } = error as InstanceType<typeof OpenAI.APIError>;
  return { status, code, param };
}

/** Sends a form byte for byte. */
async function send(body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/files`, {
    method: 'POST',
    headers: { authorization, 'content-type': formType, ...headers },
    body,
  });
  const answer = (await response.json()) as { id?: string; error?: { param: string | null; code: string | null } };
  return {
    status: response.status,
    headers: response.headers,
    id: answer.id,
    param: answer.error?.param,
    code: answer.error?.code,
  };
}

const form = (...parts: string[]) => `${parts.join('')}--${boundary}--\r\n`;
const purpose = fieldOf('purpose', 'user_data');
const file = `${fileHead('file')}content\r\n`;

describe('the official SDK', () => {
  test('uploads, retrieves, reads and deletes a file', async () => {
    const { files } = server.client;
    const created = await create('hello world');
    expect(created).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f]{32}$/) as string,
      object: 'file',
      bytes: 11,
      created_at: expect.any(Number) as number,
      expires_at: null,
      filename: 'a.txt',
      purpose: 'user_data',
      status: 'processed',
    });
    expect(await files.retrieve(created.id)).toEqual(created);
    expect(await (await files.content(created.id)).text()).toBe('hello world');
    expect(await files.waitForProcessing(created.id)).toEqual(created);
    expect(await files.delete(created.id)).toEqual({ id: created.id, object: 'file', deleted: true });
    for (const ask of [
      () => files.retrieve(created.id),
      () => files.content(created.id),
      () => files.delete(created.id),
    ]) {
      expect(await refused(ask())).toEqual({ status: 404, code: 'not_found', param: 'file_id' });
    }
  });

  test('lists files in pages, newest first, and by purpose', async () => {
    const client = clientOf(server.url, await server.makeKey({ project: 'pages' }));
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const purpose = n % 2 === 0 ? 'vision' : 'evals';
      ids.unshift((await client.files.create({ file: await bytesOf('x'), purpose })).id);
    }
    const walk = async (query: OpenAI.FileListParams) => {
      const seen: string[] = [];
      for await (const { id } of client.files.list(query)) seen.push(id);
      return seen;
    };
    expect(await walk({ limit: 2 })).toEqual(ids);
    expect(await walk({ limit: 2, order: 'asc' })).toEqual(ids.toReversed());
    expect(await walk({ limit: 1, purpose: 'evals' })).toEqual([ids[1], ids[3]]);
    expect(await refused(client.files.list({ after: 'file-nothing' }))).toMatchObject({ status: 400, param: 'after' });
  });

  test('sets the expiry of files: as requested, 30 days for batch input, otherwise never', async () => {
    const { files } = server.client;
    const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
    const file = await files.create({ file: await bytesOf('x'), purpose: 'batch', expires_after });
    expect(file.expires_at).toBe(file.created_at + 3600);
    const batch = await files.create({ file: await bytesOf('x'), purpose: 'batch' });
    expect(batch.expires_at).toBe(batch.created_at + 2_592_000);
  });

  test('accepts an empty file', async () => {
    const created = await create('');
    expect(created.bytes).toBe(0);
    expect(await (await server.client.files.content(created.id)).text()).toBe('');
  });
});

test('returns 404 for an expired file before it is removed', async () => {
  const { files } = server.stores.project('default');
  const file = {
    id: 'file-expired',
    object: 'file',
    bytes: 0,
    created_at: 1,
    expires_at: 2,
    filename: 'a',
    purpose: 'evals',
  } as const;
  await files.create({ file, mediaType: undefined, content: [] });
  expect(await refused(server.client.files.retrieve(file.id))).toMatchObject({ status: 404 });
  expect(await refused(server.client.files.content(file.id))).toMatchObject({ status: 404 });
  expect(await refused(server.client.files.delete(file.id))).toMatchObject({ status: 404 });
  expect((await server.client.files.list({ purpose: 'evals' })).data).toEqual([]);
});

test('returns 404 for a file of another project', async () => {
  const other = clientOf(server.url, await server.makeKey({ project: 'other' }));
  const { id } = await create('secret');
  for (const ask of [() => other.files.retrieve(id), () => other.files.content(id), () => other.files.delete(id)]) {
    expect(await refused(ask())).toEqual({ status: 404, code: 'not_found', param: 'file_id' });
  }
  expect((await other.files.list()).data).toEqual([]);
  expect(await refused(other.files.list({ after: id }))).toMatchObject({ status: 400, param: 'after' });
  expect(await (await server.client.files.content(id)).text()).toBe('secret');
});

test('a read_only key reads files and cannot create them', async () => {
  const reader = clientOf(server.url, await server.makeKey({ project: 'default', role: 'read_only' }));
  const { id } = await create('x');
  expect(await (await reader.files.content(id)).text()).toBe('x');
  const created = reader.files.create({ file: await bytesOf('x'), purpose: 'evals' });
  expect(await refused(created)).toMatchObject({ status: 403 });
  expect(await refused(reader.files.delete(id))).toMatchObject({ status: 403 });
});

describe('contents', () => {
  test('support range requests', async () => {
    const { id } = await create('0123456789');
    const whole = await read(id);
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    const etag = whole.headers.get('etag') ?? '';
    await whole.text();
    const part = await read(id, { range: 'bytes=2-5' });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      'bytes 2-5/10',
      '4',
    ]);
    expect(await part.text()).toBe('2345');
    expect(await (await read(id, { range: 'bytes=-3', 'if-range': etag })).text()).toBe('789');
    expect(await (await read(id, { range: 'bytes=-3', 'if-range': '"other"' })).text()).toBe('0123456789');
    const beyond = await read(id, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(await beyond.json()).toMatchObject({ error: { code: 'range_not_satisfiable', param: 'Range' } });
  });

  test('support HEAD', async () => {
    const { id } = await create('0123456789');
    const head = await read(id, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect((await read('file-nothing', {}, 'HEAD')).status).toBe(404);
    // Ranges apply to GET only.
    const range = await read(id, { range: 'bytes=0-1' }, 'HEAD');
    expect([range.status, range.headers.get('content-length')]).toEqual([200, '10']);
  });

  test('are never rendered by browsers as part of this site, regardless of their type', async () => {
    const { id } = await create('<script>alert(1)</script>', '"><script>.html', 'text/html');
    const { headers } = await read(id);
    expect(headers.get('content-type')).toBe('text/html');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"\\]*"/);
  });

  test.each([
    '../../../etc/passwd',
    'C:\\a\\b.txt',
    'a\nb: c',
    '日本語 ✓.txt',
    'a"; filename=evil.exe',
    '..',
    'x'.repeat(1024),
  ])('of a file named %j are stored, and the name has no effect on paths', async (name) => {
    const body = new FormData();
    body.set('file', new Blob(['x']), name);
    body.set('purpose', 'evals');
    const response = await fetch(`${server.url}/v1/files`, { method: 'POST', headers: { authorization }, body });
    const created = (await response.json()) as OpenAI.FileObject;
    // Forms of quotes that clients send in file names.
    expect(created.filename.replaceAll('%0A', '\n').replaceAll('%22', '"')).toBe(name);
    const { headers } = await read(created.id);
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\/\n]+"(; filename\*=UTF-8''[\w.%~-]+)?$/,
    );
    expect(headers.get('b')).toBeNull();
  });

  test('that are not read to the end release their resources', async () => {
    const { id } = await create('x'.repeat(20_000_000));
    const response = await read(id);
    await response.body?.cancel();
    expect((await read(id, { range: 'bytes=0-0' })).status).toBe(206);
  });
});

describe('a refused form', () => {
  test.each([
    ['without purpose', form(file), 400, 'purpose', 'missing_required_parameter'],
    ['with an unknown purpose', form(fieldOf('purpose', 'x'), file), 400, 'purpose', 'invalid_value'],
    [
      'with a purpose that only the server sets',
      form(fieldOf('purpose', 'batch_output'), file),
      400,
      'purpose',
      'invalid_value',
    ],
    ['without a file', form(purpose), 400, 'file', 'missing_required_parameter'],
    ['with the purpose as a file', form(`${fileHead('purpose')}evals\r\n`, file), 400, 'purpose', 'invalid_type'],
    ['with an unknown field', form(purpose, fieldOf('extra', 'x'), file), 400, 'extra', 'unknown_parameter'],
    ['with an unknown file field', form(purpose, file, `${fileHead('extra')}x\r\n`), 400, 'extra', 'unknown_parameter'],
    ['with two files', form(purpose, file, file), 400, 'file', 'invalid_value'],
    [
      'with an incomplete expiry',
      form(purpose, fieldOf('expires_after[seconds]', '3600'), file),
      400,
      'expires_after.anchor',
      'missing_required_parameter',
    ],
    [
      'with an expiry too soon',
      form(purpose, fieldOf('expires_after[anchor]', 'created_at'), fieldOf('expires_after[seconds]', '1'), file),
      400,
      'expires_after.seconds',
      'integer_below_min_value',
    ],
    [
      'with a name without end',
      form(purpose, `${fileHead('file', 'x'.repeat(1025))}x\r\n`),
      400,
      'file',
      'string_above_max_length',
    ],
    ['that ends too early', `${purpose}${file}`, 400, null, 'invalid_form'],
    ['of nothing', '', 400, null, 'invalid_form'],
  ])('%s is refused by name', async (_, body, status, param, code) => {
    expect(await send(body)).toMatchObject({ status, param, code });
  });

  test.each([
    ['application/json', 415, null],
    ['multipart/mixed; boundary=x', 415, null],
    ['multipart/form-data', 400, 'Content-Type'],
    ['multipart/form-data; boundary=other', 400, null],
  ])('with content type %s returns %d', async (contentType, status, param) => {
    expect(await send(form(purpose, file), { 'content-type': contentType })).toMatchObject({ status, param });
  });

  test('stores nothing', async () => {
    const own = await startTestServer();
    onTestFinished(() => own.stop());
    const blobs = () => readdirSync(own.data, { recursive: true }).filter((path) => String(path).includes('blob_'));
    const body = new FormData();
    body.set('file', new Blob(['x'.repeat(100_000)]), 'a');
    body.set('purpose', 'nothing');
    const response = await fetch(`${own.url}/v1/files`, { method: 'POST', headers: { authorization }, body });
    expect(response.status).toBe(400);
    // The contents are due immediately. The sweeper may have removed them by now.
    const due = await own.stores.ledger.due({ limit: 10 });
    expect(blobs().length).toBeLessThanOrEqual(due.length);
    expect((await own.client.files.list()).data).toEqual([]);
  });
});

describe('an Idempotency-Key', () => {
  const body = form(purpose, file);

  test('returns the same file for the same form, and stores its contents once', async () => {
    const first = await send(body, { 'idempotency-key': 'same' });
    expect(first.status).toBe(200);
    const dueKeys = () => server.stores.ledger.due({ limit: 1000 });
    const before = await dueKeys();
    const again = await send(body, { 'idempotency-key': 'same' });
    expect(again.id).toBe(first.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await (await read(first.id ?? '')).text()).toBe('content');
    expect(await dueKeys()).toHaveLength(before.length + 1);
  });

  test.each([
    ['other bytes', form(purpose, `${fileHead('file')}CONTENT\r\n`)],
    ['another name', form(purpose, `${fileHead('file', 'b')}content\r\n`)],
    ['another purpose', form(fieldOf('purpose', 'evals'), file)],
  ])('returns 409 for %s', async (what, other) => {
    const headers = { 'idempotency-key': `one-${what.replaceAll(' ', '-')}` };
    expect((await send(body, headers)).status).toBe(200);
    expect(await send(other, headers)).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  test('can be reused after a refused form', async () => {
    const headers = { 'idempotency-key': 'free' };
    expect((await send(form(file), headers)).status).toBe(400);
    expect((await send(body, headers)).status).toBe(200);
  });
});

test('returns 404 for an unknown path in any encoding', async () => {
  for (const id of ['%', '%ff', '%2e%2e%2f', 'a%00b', '__proto__', 'file-' + 'x'.repeat(5000)]) {
    const response = await fetch(`${server.url}/v1/files/${id}`, { headers: { authorization } });
    expect([id.slice(0, 10), response.status]).toEqual([id.slice(0, 10), 404]);
  }
});

test('returns 408 if the client stops sending', async () => {
  const impatient = await startTestServer({ uploadIdleTimeoutMs: 100 });
  onTestFinished(() => impatient.stop());
  const raw = openRaw(impatient.url);
  await raw.write(
    `${rawHead('/v1/files', { 'content-type': formType, 'content-length': 10_000 })}${purpose}${fileHead('file')}x`,
  );
  const { status, headers, body } = await raw.answer();
  expect([status, headers.get('connection')]).toEqual([408, 'close']);
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'request_timeout' } });
});

test('stores nothing if the client disconnects during the upload', async () => {
  const own = await startTestServer();
  onTestFinished(() => own.stop());
  const raw = openRaw(own.url);
  await raw.write(
    `${rawHead('/v1/files', { 'content-type': formType, 'content-length': 10_000_000 })}${purpose}${fileHead('file')}`,
  );
  await raw.write(Buffer.alloc(1_000_000));
  const blobFiles = () => readdirSync(own.data, { recursive: true }).filter((path) => String(path).includes('blob_'));
  // The server is receiving it.
  await expect.poll(blobFiles).not.toEqual([]);
  raw.socket.destroy();
  const dueCount = async () => (await own.stores.ledger.due({ limit: 10 })).length;
  // The removal that runs when a server starts may have removed the bytes already.
  await expect.poll(async () => (await dueCount()) === 1 || blobFiles().length === 0).toBe(true);
  expect((await own.client.files.list()).data).toEqual([]);
});

test('returns 400 for a wrong content length and closes the connection', async () => {
  const raw = openRaw(server.url);
  const body = `${purpose}${fileHead('file')}content${formEnd}`;
  await raw.write(rawHead('/v1/files', { 'content-type': formType, 'content-length': body.length - 20 }) + body);
  expect((await raw.answer()).status).toBe(400);
});

test('refuses a file by its content length before it is sent', async () => {
  const raw = openRaw(server.url);
  const length = 600 * 1024 * 1024;
  await raw.write(rawHead('/v1/files', { 'content-type': formType, 'content-length': length, expect: '100-continue' }));
  const { status, body } = await raw.answer();
  expect(status).toBe(413);
  expect(JSON.parse(body)).toMatchObject({ error: { param: 'file', code: 'request_too_large' } });
});

test('answers expect: 100-continue', async () => {
  const raw = openRaw(server.url);
  const body = form(purpose, file);
  const expecting = { 'content-type': formType, 'content-length': body.length, expect: '100-continue' };
  await raw.write(rawHead('/v1/files', expecting));
  expect((await raw.answer()).status).toBe(100);
  await raw.write(body);
  expect((await raw.answer()).status).toBe(200);
});
