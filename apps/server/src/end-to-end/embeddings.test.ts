import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyModel } from '@modelwire/engine-llama/tiny-model';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch } from '../testing/batch-input.ts';
import { key, startTestServer } from '../testing/test-server.ts';

async function serve(settings: Config) {
  const server = await startTestServer(settings);
  onTestFinished(() => server.stop());
  return server;
}

test('the embedded model embeds texts for the official SDK, in batches too', async () => {
  const { client } = await serve({});
  const model = 'simulator-embedding';
  const { data, usage } = await client.embeddings.create({ model, input: ['Hello world', 'Hello'], dimensions: 64 });
  expect(data.map(({ embedding }) => embedding.length)).toEqual([64, 64]);
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });

  const line = { custom_id: 'one', method: 'POST', url: '/v1/embeddings', body: { model, input: 'Hello' } };
  const created = await createBatch(client, [line], '/v1/embeddings');
  await expect
    .poll(async () => (await client.batches.retrieve(created.id)).status, { timeout: 60_000 })
    .toBe('completed');
  const batch = await client.batches.retrieve(created.id);
  const output = await (await client.files.content(batch.output_file_id ?? '')).text();
  const alone = await client.embeddings.create({ model, input: 'Hello', encoding_format: 'float' });
  expect(JSON.parse(output)).toMatchObject({ response: { status_code: 200, body: alone } });
  expect(batch.usage).toMatchObject({ input_tokens: 1, output_tokens: 0, total_tokens: 1 });
});

test('embeddings are requested from models of an upstream, discovered or configured', async () => {
  const upstream = await serve({});
  const entry = { name: 'inner', baseURL: `${upstream.url}/v1`, apiKey: key };
  const input = 'The river Danube';
  const model = 'simulator-embedding';
  const expected = await upstream.client.embeddings.create({ model, input });
  const discovered = await serve({ upstreams: [entry], simulator: false });
  expect((await discovered.client.embeddings.create({ model, input })).data).toEqual(expected.data);
  const configured = await serve({
    upstreams: [entry],
    models: { ours: { upstreamModel: model } },
    simulator: false,
  });
  expect(await configured.client.embeddings.create({ model: 'ours', input })).toMatchObject({ data: expected.data });
  await expect(configured.client.embeddings.create({ model, input })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
});

test('a chat model is refused by name', async () => {
  const { client } = await serve({});
  await expect(client.embeddings.create({ model: 'simulator', input: 'a' })).rejects.toMatchObject({
    status: 400,
    param: 'model',
  });
});

test('a GGUF model serves embeddings, also without a chat model', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-embedding-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tiny.gguf');
  await writeTinyModel(path);
  const { client } = await serve({ simulator: false, embeddings: { gguf: [{ path, id: 'tiny-embed', gpu: false }] } });
  const { data } = await client.embeddings.create({ model: 'tiny-embed', input: ['the river', 'the sea'] });
  expect(data.map(({ embedding }) => Math.hypot(...embedding).toFixed(4))).toEqual(['1.0000', '1.0000']);
});

test('a file that is not a model is named at startup', async () => {
  await expect(serve({ embeddings: { gguf: 'none.gguf' } })).rejects.toThrow(/^embeddings\.gguf: .*none\.gguf/);
});
