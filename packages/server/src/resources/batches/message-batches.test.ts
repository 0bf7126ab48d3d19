import { messageBatchSchema } from '@modelwire/schema/testing';
import type { MessageBatch, MessageBatchList } from '@modelwire/schema/types';
import { expect, test, vi } from 'vitest';
import { key } from '../../testing/listen.ts';
import { says } from '../../testing/scripted-engine.ts';
import { patient, serve } from '../../testing/serve-batches.ts';

const params = (content: string) => ({ model: 'scripted', max_tokens: 9, messages: [{ role: 'user', content }] });
const request = (custom_id: string, body: object = params(custom_id)) => ({ custom_id, params: body });

async function serveMessages(init: Parameters<typeof serve>[0] = {}) {
  const served = await serve(init);
  const send = (method: string, path = '', body?: object) =>
    fetch(path.startsWith('http') ? path : `${served.url}/v1/messages/batches${path}`, {
      method,
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const create = async (...requests: object[]) => (await (await send('POST', '', { requests })).json()) as MessageBatch;
  const retrieve = async (id: string) => messageBatchSchema.parse(await (await send('GET', `/${id}`)).json());
  const untilEnded = (id: string) =>
    vi.waitFor(async () => {
      const batch = await retrieve(id);
      expect(batch.processing_status).toBe('ended');
      return batch;
    }, patient);
  const list = async (query: string) => (await (await send('GET', query)).json()) as MessageBatchList;
  return { ...served, send, create, retrieve, untilEnded, list };
}

test('each request gets its result: a message, or the error of a bad one', async () => {
  const { create, untilEnded, send } = await serveMessages();
  const created = await create(request('good'), request('bad', { model: 'scripted', max_tokens: 1, messages: 1 }));
  expect(created).toMatchObject({
    type: 'message_batch',
    processing_status: 'in_progress',
    request_counts: { processing: 2, succeeded: 0 },
    ended_at: null,
    results_url: null,
  });
  const ended = await untilEnded(created.id);
  expect(ended.request_counts).toEqual({ processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 0 });
  expect(Date.parse(ended.expires_at) - Date.parse(ended.created_at)).toBe(86_400_000);
  const results = await send('GET', ended.results_url ?? '');
  expect(results.headers.get('content-type')).toBe('application/x-jsonl');
  const lines = (await results.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      custom_id: 'good',
      result: { type: 'succeeded', message: { type: 'message', content: [{ type: 'text', text: 'Hi' }] } },
    },
    {
      custom_id: 'bad',
      result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error' } } },
    },
  ]);
});

test('requests of a cancelled batch are canceled', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { create, untilEnded, send, retrieve } = await serveMessages({
    batchConcurrency: 1,
    script: async function* () {
      await gate.promise;
      yield* says('Hi');
    },
  });
  const { id } = await create(request('a'), request('b'), request('c'));
  expect((await send('GET', `/${id}/results`)).status).toBe(400);
  expect((await send('DELETE', `/${id}`)).status).toBe(400);
  expect(await (await send('POST', `/${id}/cancel`)).json()).toMatchObject({ processing_status: 'canceling' });
  gate.resolve(undefined);
  const { request_counts: counts } = await untilEnded(id);
  expect(counts.canceled).toBeGreaterThan(0);
  expect(counts.canceled + counts.succeeded).toBe(3);
  expect(await (await send('POST', `/${id}/cancel`)).json()).toEqual(await retrieve(id));
});

test('batches are listed in pages in both directions, without those of other endpoints', async () => {
  const { create, list, batches, work } = await serveMessages({ worker: false });
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.unshift((await create(request(name))).id);
  await batches.create({ input_file_id: work.input([]), endpoint: '/v1/chat/completions', completion_window: '24h' });
  const idsOf = ({ data }: MessageBatchList) => data.map(({ id }) => id);
  const first = await list('?limit=2');
  expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, 2), true]);
  expect(idsOf(await list(`?after_id=${first.last_id}`))).toEqual(ids.slice(2));
  expect(idsOf(await list(`?before_id=${ids[2]}&limit=1`))).toEqual(ids.slice(1, 2));
  expect((await list('?after_id=absent')) as unknown).toMatchObject({ error: { details: { param: 'after_id' } } });
});

test('a deleted batch is gone, with its results', async () => {
  const { create, untilEnded, send, list, client } = await serveMessages();
  const { id } = await create(request('a'));
  await untilEnded(id);
  const { output_file_id } = await client.batches.retrieve(id);
  expect(await (await send('DELETE', `/${id}`)).json()).toEqual({ id, type: 'message_batch_deleted' });
  for (const path of [`/${id}`, `/${id}/results`]) expect((await send('GET', path)).status).toBe(404);
  expect((await list('')).data).toEqual([]);
  await expect(client.files.retrieve(output_file_id ?? '')).rejects.toMatchObject({ status: 404 });
});

test.each([
  ['an ID twice', [request('a'), request('a')], 'requests[1].custom_id'],
  ['an ID with a space', [request('a b')], 'requests[0].custom_id'],
  ['no requests', [], 'requests'],
])('%s is a 400 that names it', async (_, requests, param) => {
  const { send } = await serveMessages({ worker: false });
  const response = await send('POST', '', { requests });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { details: { param } } }]);
});
