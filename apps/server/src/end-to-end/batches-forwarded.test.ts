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
