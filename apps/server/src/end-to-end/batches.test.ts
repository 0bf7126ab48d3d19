import type OpenAI from 'openai';
import { toFile } from 'openai';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { createBatch, endpoint, inputLine, linesOf, upload } from '../testing/batch-input.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

function until(client: OpenAI, id: string, status: OpenAI.Batch['status']): Promise<OpenAI.Batch> {
  return vi.waitFor(
    async () => {
      const batch = await client.batches.retrieve(id);
      expect(batch.status).toBe(status);
      return batch;
    },
    { timeout: 60_000, interval: 20 },
  );
}

test('the official SDK uploads a file, runs a batch and reads the results', async () => {
  const { client } = server;
  const names = Array.from({ length: 100 }, (_, n) => `line-${n}`);
  const lines = [...names.map((name) => inputLine(name)), inputLine('hot', { temperature: 3 })];
  const created = await createBatch(client, lines);
  expect(created).toMatchObject({ object: 'batch', status: 'validating', endpoint });
  const done = await until(client, created.id, 'completed');
  expect(done.request_counts).toEqual({ total: 101, completed: 100, failed: 1 });
  expect(done.model).toBe('simulator');
  expect(done.usage?.total_tokens).toBeGreaterThan(100);

  const output = await linesOf(client, done.output_file_id);
  expect(output.map(({ custom_id }) => custom_id)).toEqual(names);
  for (const { custom_id, response } of output) {
    expect(response?.body.choices[0]?.message.content).toContain(custom_id);
    expect(response?.body.service_tier).toBe('flex');
  }
  const [failed, ...others] = await linesOf(client, done.error_file_id);
  expect(others).toEqual([]);
  expect(failed).toMatchObject({
    custom_id: 'hot',
    response: { status_code: 400, body: { error: { param: 'temperature', code: 'decimal_above_max_value' } } },
  });
  const file = await client.files.retrieve(done.output_file_id ?? '');
  expect(file).toMatchObject({ purpose: 'batch_output', filename: `${done.id}_output.jsonl` });
  expect(file.bytes).toBe((await (await client.files.content(file.id)).arrayBuffer()).byteLength);
  const [first] = (await client.batches.list({ limit: 1 })).data;
  expect(first).toEqual(done);
});

test('counts the usage of a batch for its key', async () => {
  const adminKey = await server.makeKey({ project: 'counted', role: 'admin' });
  const admin = clientOf(server.url, adminKey);
  const { id } = await createBatch(admin, [inputLine('one'), inputLine('two')]);
  const { usage } = await until(admin, id, 'completed');
  const page = await admin.withOptions({ adminAPIKey: adminKey }).admin.organization.usage.completions({
    start_time: Math.floor(Date.now() / 1000) - 60,
    project_ids: ['counted'],
  });
  expect(page.data.flatMap(({ results }) => results)).toMatchObject([
    { num_model_requests: 2, input_tokens: usage?.input_tokens, output_tokens: usage?.output_tokens },
  ]);
});

test('returns 404 for a batch and its file from another project', async () => {
  const other = clientOf(server.url, await server.makeKey({ project: 'other' }));
  const input_file_id = await upload(server.client, [inputLine('mine')]);
  const created = { input_file_id, endpoint, completion_window: '24h' } as const;
  await expect(other.batches.create(created)).rejects.toMatchObject({ status: 404, param: 'input_file_id' });
  const { id } = await server.client.batches.create(created);
  await expect(other.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(other.batches.cancel(id)).rejects.toMatchObject({ status: 404 });
  expect((await other.batches.list()).data).toEqual([]);
});

test('refuses to create batches with read_only and inference_only keys', async () => {
  const input_file_id = await upload(server.client, [inputLine('mine')]);
  for (const role of ['read_only', 'inference_only'] as const) {
    const client = clientOf(server.url, await server.makeKey({ project: 'default', role }));
    await expect(client.batches.create({ input_file_id, endpoint, completion_window: '24h' })).rejects.toMatchObject({
      status: 403,
    });
  }
});

test('creates one batch for the same idempotency key', async () => {
  const { client } = server;
  const input_file_id = await upload(client, [inputLine('once')]);
  const body = { input_file_id, endpoint, completion_window: '24h' } as const;
  const once = { headers: { 'idempotency-key': 'batch-once' } };
  const [a, b] = [await client.batches.create(body, once), await client.batches.create(body, once)];
  expect(b.id).toBe(a.id);
});

test('fails a batch with invalid JSON and names the line', async () => {
  const { client } = server;
  const text = `\uFEFF${JSON.stringify(inputLine('one'))}\r\n\r\n{"custom_id": \r\n`;
  const file = await client.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' });
  const { id } = await client.batches.create({ input_file_id: file.id, endpoint, completion_window: '24h' });
  expect((await until(client, id, 'failed')).errors?.data).toMatchObject([{ line: 3, code: 'invalid_json_line' }]);
});

test('cancels a running batch and keeps the results so far', async () => {
  const slow = await startTestServer({ simulator: { tokensPerSecond: 40 }, batchConcurrency: 4 });
  onTestFinished(() => slow.stop());
  const { client } = slow;
  const lines = Array.from({ length: 1000 }, (_, n) => inputLine(`line-${n}`));
  const { id } = await createBatch(client, lines);
  await vi.waitFor(
    async () => expect((await client.batches.retrieve(id)).request_counts?.completed).toBeGreaterThan(3),
    {
      timeout: 60_000,
    },
  );
  expect((await client.batches.cancel(id)).status).toBe('cancelling');
  const { request_counts, output_file_id, error_file_id } = await until(client, id, 'cancelled');
  const output = await linesOf(client, output_file_id);
  const rest = await linesOf(client, error_file_id);
  expect([output.length, rest.length]).toEqual([request_counts?.completed, request_counts?.failed]);
  expect(output.length + rest.length).toBe(1000);
  for (const { error } of rest) expect(error?.code).toBe('batch_cancelled');
  await expect(client.batches.cancel(id)).resolves.toMatchObject({ status: 'cancelled' });
});

test('resumes a batch after a restart', async () => {
  const first = await startTestServer({ simulator: { tokensPerSecond: 40 }, batchConcurrency: 4 });
  const { id } = await createBatch(
    first.client,
    Array.from({ length: 30 }, (_, n) => inputLine(`line-${n}`)),
  );
  await vi.waitFor(
    async () => expect((await first.client.batches.retrieve(id)).request_counts?.completed).toBeGreaterThan(3),
    { timeout: 60_000 },
  );
  const again = await first.restart();
  onTestFinished(() => again.stop());
  const { output_file_id } = await until(again.client, id, 'completed');
  expect(await linesOf(again.client, output_file_id)).toHaveLength(30);
});
