import { buffer } from 'node:stream/consumers';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, test } from 'vitest';
import { createUpstream } from '../upstream.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handler = (received: Received, response: ServerResponse) => void;

/** The batch API of a server that answers with `handle`. */
async function provider(handle: Handler) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: bytes.toString() };
      received.push(one);
      handle(one, response);
    });
  });
  const baseURL = `http://${await listenForTest(server)}/base/v1`;
  const upstreams = [
    { name: 'own', baseURL: 'http://127.0.0.1:1/v1' },
    { name: 'hosted', baseURL, apiKey: 'secret-of-ours', batch: 'forward' as const },
  ];
  const { batchProviders } = createUpstream({
    upstreams,
    models: { shared: {}, hosted: { upstreams: ['hosted'] }, own: { upstreams: ['own'] } },
  });
  const [api] = batchProviders('hosted');
  if (!api) throw new Error('there is no provider');
  return { api, batchProviders, received };
}

const { signal } = new AbortController();

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const batch = (id: string, fields: object = {}) => ({ id, object: 'batch', status: 'in_progress', ...fields });

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

test('a model has the providers that serve it, and says whether others do', async () => {
  const { batchProviders } = await provider(() => undefined);
  expect(batchProviders('hosted')).toMatchObject([{ upstream: 'hosted', hasOwnCapacity: false }]);
  expect(batchProviders('shared')).toMatchObject([{ upstream: 'hosted', hasOwnCapacity: true }]);
  expect(batchProviders('own')).toEqual([]);
});

test('uploads a file as it is read, with the purpose, an expiry and the key of the upstream', async () => {
  const { api, received } = await provider((_, response) => json(response, 200, { id: 'file-1' }));
  const file = { filename: 'submission_1.jsonl', bytes: 8, content: pieces('{"a":', '1}\n') };
  expect(await api.upload({ ...file, bytes: 8 }, signal)).toBe('file-1');
  const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = received;
  expect([method, path]).toEqual(['POST', '/base/v1/files']);
  expect(headers).toMatchObject({ authorization: 'Bearer secret-of-ours' });
  const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  expect(form.get('purpose')).toBe('batch');
  expect(form.get('expires_after[seconds]')).toBe('604800');
  const sent = form.get('file');
  if (!(sent instanceof File)) throw new Error('the form has no file');
  expect([sent.name, await sent.text()]).toEqual(['submission_1.jsonl', '{"a":1}\n']);
});

test('creates a batch with the key in its metadata', async () => {
  const { api, received } = await provider((_, response) => json(response, 200, batch('batch_1')));
  const init = { key: 'submission_1', fileId: 'file-1', endpoint: '/v1/embeddings', submittedAt: 1 };
  expect(await api.create(init, signal)).toMatchObject({ id: 'batch_1', status: 'running' });
  expect(received[0]?.headers['idempotency-key']).toBe('submission_1');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    input_file_id: 'file-1',
    endpoint: '/v1/embeddings',
    completion_window: '24h',
    metadata: { modelwire_submission: 'submission_1' },
  });
});

test('finds batches by their key on all pages, up to those that are older', async () => {
  const metadata = { modelwire_submission: 'mine' };
  const pages = [
    { data: [batch('3', { created_at: 30_000 }), batch('2', { created_at: 20_000, metadata })], has_more: true },
    { data: [null, batch('1', { created_at: 10_000, metadata })], has_more: true },
    { data: [batch('0', { created_at: 10, metadata: { modelwire_submission: 'others' } })], has_more: true },
  ];
  const { api, received } = await provider((_, response) => json(response, 200, pages.shift()));
  const found = await api.find({ key: 'mine', submittedAt: 9000 }, signal);
  expect(found.map(({ id }) => id)).toEqual(['1', '2']);
  expect(received.map(({ path }) => path)).toEqual([
    '/base/v1/batches?limit=100',
    '/base/v1/batches?limit=100&after=2',
    '/base/v1/batches?limit=100&after=1',
  ]);
});

test.each([
  ['completed', 'completed'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
  ['failed', 'failed'],
  ['cancelling', 'running'],
  ['a new status', 'running'],
])('a batch that is %s there is %s', async (status, expected) => {
  const files = { output_file_id: 'out', error_file_id: null };
  const { api } = await provider((_, response) => json(response, 200, batch('b', { status, ...files })));
  expect(await api.retrieve('b', signal)).toMatchObject({ status: expected, resultFiles: ['out'] });
});

test.each([
  [{ total: 9, completed: 3, failed: 1 }, 4],
  [{ total: 9, completed: 0, failed: 0 }, 0],
  [{ total: 9, completed: 3 }, undefined],
  [{ completed: -3, failed: 1 }, undefined],
  [{ completed: 1e300, failed: 1 }, undefined],
  [null, undefined],
  ['4', undefined],
])('of a batch with the counts %j, %s lines have ended', async (counts, expected) => {
  const { api } = await provider((_, response) => json(response, 200, batch('b', { request_counts: counts })));
  expect((await api.retrieve('b', signal))?.endedLines).toBe(expected);
});

test('the reason of a batch that failed has no secrets', async () => {
  const errors = { data: [{ code: 'invalid_model', message: 'Not with secret-of-ours', line: 1 }] };
  const { api } = await provider((_, response) => json(response, 200, batch('b', { status: 'failed', errors })));
  const { error } = (await api.retrieve('b', signal)) ?? {};
  expect(error?.code).toBe('invalid_model');
  expect(error?.message).not.toContain('secret-of-ours');
});

test('a batch or file that the upstream does not have is no failure; IDs cannot change the path', async () => {
  const { api, received } = await provider((_, response) =>
    json(response, 404, { error: { message: 'No such thing' } }),
  );
  expect(await api.retrieve('../files', signal)).toBeUndefined();
  await api.deleteFile('a/b?c', signal);
  await api.cancel('b', signal);
  expect(received.map(({ path }) => path)).toEqual([
    '/base/v1/batches/..%2Ffiles',
    '/base/v1/files/a%2Fb%3Fc',
    '/base/v1/batches/b/cancel',
  ]);
});

test.each([
  [500, { error: { message: 'Oops' } }, 500],
  [429, { error: { message: 'Too many' } }, 429],
  [401, { error: { message: 'Wrong key secret-of-ours' } }, 502],
  [404, { detail: 'Not Found' }, 502],
  [200, 'no object', 502],
  [200, { object: 'batch' }, 502],
])('a reply of status %i with %j is an error of status %i', async (status, body, expected) => {
  const { api } = await provider((_, response) => json(response, status, body));
  const init = { key: 'k', fileId: 'f', endpoint: '/v1/embeddings', submittedAt: 1 };
  const error: unknown = await api.create(init, signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: expected });
  expect(String(error)).not.toContain('secret-of-ours');
});

test('a download gives the bytes as they arrive, and fails if the connection does', async () => {
  const { api } = await provider(({ path }, response) => {
    response.writeHead(200, { 'content-length': '8' });
    response.write('{}\n');
    if (path.includes('whole')) response.end('{ }\n\n');
    else setImmediate(() => response.destroy());
  });
  const read = async (id: string): Promise<string> => {
    let text = '';
    for await (const piece of api.download(id, signal)) text += Buffer.from(piece).toString();
    return text;
  };
  expect(await read('whole')).toBe('{}\n{ }\n\n');
  await expect(read('cut')).rejects.toMatchObject({ status: 502 });
});
