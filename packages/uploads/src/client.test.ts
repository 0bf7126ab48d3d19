import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { json, startRecordingServer } from '@modelwire/core/testing';
import { expect, test } from 'vitest';
import { BadRequestError, createUploads } from './index.ts';

const upload = { id: 'upload_1', object: 'upload', status: 'dreaming', file: null, mood: 'blue' };

test('the four methods send their parameters to their endpoints', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, upload));
  const uploads = createUploads({ baseURL, apiKey: 'test-key' });
  const declared = { filename: 'a', bytes: 3, mime_type: 'text/plain', purpose: 'batch' } as const;
  expect(await uploads.create(declared)).toEqual(upload);
  await uploads.parts.create('upload_1', { data: new Blob(['abc']) });
  await uploads.complete('upload_1', { part_ids: ['part_1'], md5: 'x' }, { headers: { 'x-a': 'b' } });
  const { data, requestId } = await uploads.cancel('upload/1').withResponse();
  expect([data.status, requestId]).toEqual(['dreaming', 'req_4']);
  expect(recorded).toMatchObject([
    { method: 'POST', path: '/uploads', json: declared, headers: { authorization: 'Bearer test-key' } },
    { method: 'POST', path: '/uploads/upload_1/parts', files: { data: { bytes: Buffer.from('abc') } } },
    { path: '/uploads/upload_1/complete', json: { part_ids: ['part_1'], md5: 'x' }, headers: { 'x-a': 'b' } },
    { path: '/uploads/upload%2F1/cancel' },
  ]);
});

test('a part is retried with the same idempotency key, with a content-length', async () => {
  const { baseURL, recorded } = await startRecordingServer((response, _, count) =>
    json(response, {}, count === 1 ? 500 : 200),
  );
  const uploads = createUploads({ baseURL, backoff: () => 0 });
  await uploads.parts.create('upload_1', { data: new Blob(['abc']) });
  const [first, second] = recorded.map(({ headers }) => [headers['idempotency-key'], headers['content-length']]);
  expect(first).toEqual(second);
  expect(Number(first?.[1])).toBeGreaterThan(3);
});

test('a part can be a Node stream, a web stream or a Response, and is then not retried', async () => {
  const { baseURL, recorded } = await startRecordingServer((response, _, count) =>
    json(response, upload, count < 4 ? 200 : 500),
  );
  const { parts } = createUploads({ baseURL, backoff: () => 0 });
  const path = fileURLToPath(import.meta.url);
  await parts.create('upload_1', { data: createReadStream(path, { end: 9 }) });
  await parts.create('upload_1', { data: new Blob(['abc']).stream() });
  await parts.create('upload_1', { data: new Response('def', { headers: { 'content-type': 'a/b' } }) });
  expect(recorded.map(({ files }) => files['data'])).toEqual([
    { filename: 'client.test.ts', type: 'application/octet-stream', bytes: (await readFile(path)).subarray(0, 10) },
    { filename: 'blob', type: 'application/octet-stream', bytes: Buffer.from('abc') },
    { filename: 'blob', type: 'a/b', bytes: Buffer.from('def') },
  ]);
  await expect(parts.create('upload_1', { data: new Blob(['x']).stream() })).rejects.toMatchObject({
    attempts: { length: 1 },
  });
});

test('an error response is a typed error', async () => {
  const { baseURL } = await startRecordingServer((response) =>
    json(response, { error: { message: 'Done.', code: 'invalid_state' } }, 400),
  );
  const call = createUploads({ baseURL }).cancel('upload_1');
  await expect(call).rejects.toBeInstanceOf(BadRequestError);
  await expect(call).rejects.toMatchObject({ code: 'invalid_state' });
});
