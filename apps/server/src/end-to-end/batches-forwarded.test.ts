import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const patient = { timeout: 60_000, interval: 20 };
let provider: TestServer;
let server: TestServer;

beforeAll(async () => {
  provider = await startTestServer();
  const upstream = { name: 'provider', baseURL: `${provider.url}/v1`, apiKey: key, batch: 'forward' as const };
  server = await startTestServer({ upstreams: [upstream], simulator: false });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

const batchesAtProvider = async () => (await provider.client.batches.list({ limit: 100 })).data;

async function until(client: OpenAI, id: string, status: OpenAI.Batch['status']): Promise<OpenAI.Batch> {
  await expect.poll(async () => (await client.batches.retrieve(id)).status, patient).toBe(status);
  return client.batches.retrieve(id);
}

test('a batch whose model only a provider serves is a batch there, with the same results, usage and counts', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `line-${n}`);
  const lines = [...names.map((name) => inputLine(name)), inputLine('hot', { temperature: 3 })];
  const { id } = await createBatch(server.client, lines);
  const done = await until(server.client, id, 'completed');
  expect(done.request_counts).toEqual({ total: 31, completed: 30, failed: 1 });
  expect(done.usage?.total_tokens).toBeGreaterThan(30);
  const output = await linesOf(server.client, done.output_file_id);
  expect(output.map(({ custom_id }) => custom_id)).toEqual(names);
  for (const { custom_id, response } of output) {
    expect(response?.body.choices[0]?.message.content).toContain(custom_id);
    expect(response?.body.model).toBe('simulator');
  }
  expect(await linesOf(server.client, done.error_file_id)).toMatchObject([
    { custom_id: 'hot', response: { status_code: 400, body: { error: { param: 'temperature' } } } },
  ]);
  const [batch, ...others] = (await provider.client.batches.list()).data;
  expect(others).toEqual([]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 30, completed: 30, failed: 0 } });
  expect(batch?.metadata).toEqual({ modelwire_submission: expect.stringMatching(/^submission_/) as unknown });
  expect((await provider.client.files.list()).data).toEqual([]);
});

test.each([
  ['/v1/embeddings', 'simulator-embedding', { input: 'a word' }, { object: 'list', data: [{ object: 'embedding' }] }],
  ['/v1/responses', 'simulator', { input: 'Repeat: a' }, { object: 'response', status: 'completed' }],
  ['/v1/completions', 'simulator', { prompt: 'Once' }, { object: 'text_completion', choices: [{ index: 0 }] }],
] as const)('lines of %s are batches at the provider, too', async (url, model, request, body) => {
  const known = await batchesAtProvider();
  const lines = ['a', 'b'].map((custom_id) => ({ custom_id, method: 'POST', url, body: { model, ...request } }));
  const { id } = await createBatch(server.client, lines, url);
  const done = await until(server.client, id, 'completed');
  expect(done.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
  for (const line of await linesOf(server.client, done.output_file_id)) expect(line.response?.body).toMatchObject(body);
  expect(done.usage?.total_tokens).toBeGreaterThan(0);
  expect((await batchesAtProvider()).length).toBe(known.length + 1);
});

test('a line with several choices or a stored completion has all that the server adds', async () => {
  const lines = [inputLine('stored', { store: true }), inputLine('two', { n: 2 })];
  const { id } = await createBatch(server.client, lines);
  const { output_file_id } = await until(server.client, id, 'completed');
  const [stored, two] = await linesOf(server.client, output_file_id);
  const completion = stored?.response?.body.id ?? '';
  expect(await server.client.chat.completions.retrieve(completion)).toMatchObject({ id: completion });
  expect(two?.response?.body.choices).toHaveLength(2);
});

test('a cancelled batch is cancelled at the provider', async () => {
  const lines = Array.from({ length: 2000 }, (_, n) => inputLine(`line-${n}`));
  const known = await batchesAtProvider();
  const { id } = await createBatch(server.client, lines);
  await expect.poll(async () => (await batchesAtProvider()).length, patient).toBe(known.length + 1);
  await server.client.batches.cancel(id);
  const { request_counts } = await until(server.client, id, 'cancelled');
  expect((request_counts?.completed ?? 0) + (request_counts?.failed ?? 0)).toBe(2000);
  const [newest] = await batchesAtProvider();
  expect(newest?.status).toMatch(/^(cancelled|completed)$/);
});
