import { collect, json, serveClient } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { describe, expect, test } from 'vitest';
import { createBatches, NotFoundError } from './index.ts';
import type { Batch } from './index.ts';

const batch: Batch = {
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-in',
  completion_window: '24h',
  status: 'completed',
  created_at: 1,
  output_file_id: 'file-out',
  error_file_id: 'file-err',
};

const answered = (custom_id: string): string =>
  JSON.stringify({
    id: 'r',
    custom_id,
    response: { status_code: 200, request_id: 'q', body: { id: custom_id } },
    error: null,
  });
const refused = JSON.stringify({
  id: 'r',
  custom_id: 'c',
  response: {
    status_code: 400,
    request_id: 'q',
    body: { error: { message: 'No.', code: 'bad', param: 'n', type: 't' } },
  },
  error: null,
});
const expired = JSON.stringify({
  id: 'r',
  custom_id: 'd',
  response: null,
  error: { code: 'batch_expired', message: 'Late.' },
});

async function serve(respond: Respond) {
  const { client: batches, recorded } = await serveClient(createBatches, respond);
  return { batches, recorded };
}

test('create(), retrieve(), cancel() and list() reach their endpoints', async () => {
  const { batches, recorded } = await serve((response, { path }) => {
    const list = { object: 'list', data: [batch], has_more: !path.includes('after=') };
    json(response, path.startsWith('/batches?') ? list : { ...batch, status: 'dreaming', mood: 'blue' });
  });
  const params = { input_file_id: 'file-in', endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  expect(await batches.create(params)).toMatchObject({ status: 'dreaming', mood: 'blue' });
  await batches.retrieve('batch_1');
  expect((await batches.cancel('batch/1').withResponse()).requestId).toBe('req_3');
  expect(await collect(batches.list({ limit: 1 }))).toEqual([batch, batch]);
  expect(recorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /batches',
    'GET /batches/batch_1',
    'POST /batches/batch%2F1/cancel',
    'GET /batches?limit=1',
    'GET /batches?limit=1&after=batch_1',
  ]);
  expect(recorded[0]).toMatchObject({ json: params, headers: { authorization: 'Bearer test-key' } });
});

test.each(['completed', 'failed', 'expired', 'cancelled'])('wait() ends when the batch is %s', async (status) => {
  const states = ['validating', 'in_progress', 'snoozing', 'finalizing', 'cancelling', status];
  const { batches } = await serve((response, _, count) => json(response, { ...batch, status: states[count - 1] }));
  const seen: string[] = [];
  const ended = await batches.wait('batch_1', { pollMs: 1, onUpdate: ({ status }) => seen.push(status) });
  expect([ended.status, seen]).toEqual([status, states]);
});

describe('results()', () => {
  const files: Respond = (response, { path }) => {
    if (path === '/batches/batch_1') json(response, batch);
    else response.end(path.includes('file-out') ? `${answered('a')}\n${answered('b')}\n` : `${refused}\n${expired}`);
  };

  test('yields the lines of the output file, then those of the error file', async () => {
    const { batches, recorded } = await serve(files);
    const results = await collect(batches.results<'/v1/chat/completions'>('batch_1'));
    expect(results.map(({ line: _, ...rest }) => rest)).toEqual([
      { ok: true, custom_id: 'a', status: 200, body: { id: 'a' } },
      { ok: true, custom_id: 'b', status: 200, body: { id: 'b' } },
      { ok: false, custom_id: 'c', status: 400, error: { message: 'No.', type: 't', param: 'n', code: 'bad' } },
      { ok: false, custom_id: 'd', status: undefined, error: { message: 'Late.', code: 'batch_expired' } },
    ]);
    expect(results[3]?.line).toEqual(JSON.parse(expired));
    expect(recorded.map(({ path }) => path)).toEqual([
      '/batches/batch_1',
      '/files/file-out/content',
      '/files/file-err/content',
    ]);
  });

  test('resultsById() maps them by custom_id', async () => {
    const { batches, recorded } = await serve(files);
    const byId = await batches.resultsById(batch);
    expect([...byId.keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(byId.get('c')?.ok).toBe(false);
    expect(recorded).toHaveLength(2);
  });

  test('resumes when the connection fails in the middle of a line', async () => {
    const whole = Buffer.from(`${answered('a')}\n${answered('b')}\n`);
    const { batches } = await serve((response, { headers: { range } }) => {
      const [, from = '0'] = /bytes=(\d+)/.exec(range ?? '') ?? [];
      if (range === undefined) {
        response.writeHead(200, { 'content-length': whole.length });
        response.write(whole.subarray(0, 20), () => setTimeout(() => response.destroy(), 5));
      } else {
        response.writeHead(206, { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` });
        response.end(whole.subarray(Number(from)));
      }
    });
    const results = await collect(batches.results({ ...batch, error_file_id: null }));
    expect(results.map(({ custom_id }) => custom_id)).toEqual(['a', 'b']);
  });

  test('throws before the batch has ended, and is empty without files', async () => {
    const { batches } = await serve((response) => json(response, { error: { message: 'No.' } }, 404));
    const early = collect(batches.results({ ...batch, status: 'in_progress' }));
    await expect(early).rejects.toMatchObject({ name: 'InputError' });
    expect(await collect(batches.results({ ...batch, output_file_id: null, error_file_id: null }))).toEqual([]);
    await expect(collect(batches.results('batch_9'))).rejects.toBeInstanceOf(NotFoundError);
  });
});
