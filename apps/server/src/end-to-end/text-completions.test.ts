import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch } from '../testing/batch-input.ts';
import { key, startTestServer } from '../testing/test-server.ts';

async function serve(config: Config) {
  const server = await startTestServer(config);
  onTestFinished(() => server.stop());
  return server;
}

test('legacy completions work with the official SDK, on the simulator and on an upstream', async () => {
  const inner = await serve({});
  const outer = await serve({
    upstreams: [{ name: 'inner', baseURL: `${inner.url}/v1`, apiKey: key }],
    simulator: false,
  });
  const params = { model: 'simulator', prompt: 'What is 6 * 7?', temperature: 0, max_tokens: 64 };
  for (const { client } of [inner, outer]) {
    const reply = await client.completions.create({ ...params, logprobs: 1 });
    expect(reply.choices[0]?.text).toMatch(/^6 \* 7 = 42\./);
    expect(reply.choices[0]?.logprobs?.tokens?.join('')).toBe(reply.choices[0]?.text);
    expect(reply.usage?.completion_tokens).toBeGreaterThan(5);
    const stream = await client.completions.create({ ...params, stream: true });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(reply.choices[0]?.text);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  }
});

test('legacy completions run in batches', async () => {
  const { client } = await serve({});
  const body = { model: 'simulator', prompt: ['Hello!', 'What is 6 * 7?'], temperature: 0, max_tokens: 64 };
  const line = { custom_id: 'one', method: 'POST', url: '/v1/completions', body };
  const { id } = await createBatch(client, [line], '/v1/completions');
  await expect.poll(async () => (await client.batches.retrieve(id)).status, { timeout: 60_000 }).toBe('completed');
  const batch = await client.batches.retrieve(id);
  const output = await (await client.files.content(batch.output_file_id ?? '')).text();
  expect(JSON.parse(output)).toMatchObject({
    response: { status_code: 200, body: { choices: [{ index: 0 }, { index: 1 }] } },
  });
  expect(batch.usage?.output_tokens).toBeGreaterThan(5);
});
