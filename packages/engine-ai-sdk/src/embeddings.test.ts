import { createGoogle } from '@ai-sdk/google';
import { createServer } from '@modelwire/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAiSdkEmbeddings } from './embeddings.ts';
import { json, startProviderServer } from './testing/provider-server.ts';
import type { ProviderServer, ReceivedRequest } from './testing/provider-server.ts';

let provider: ProviderServer;
let server: ReturnType<typeof createServer>;

beforeAll(async () => {
  provider = await startProviderServer();
  const google = createGoogle({ baseURL: `${provider.url}/v1beta`, apiKey: 'x' });
  const engine = createAiSdkEmbeddings({
    models: [
      { model: google.embeddingModel('gemini-embedding-001'), id: 'gemini' },
      { model: google.embeddingModel('gemini-embedding-001'), id: 'emulating', dimensions: 'emulated' },
    ],
  });
  server = createServer({ engines: [], embeddingEngines: [engine], keys: 'open', report: () => undefined });
});
beforeEach(() => {
  provider.received.length = 0;
  provider.respond((response, request) => {
    const values = textsOf(request).map((text) => ({ values: [3, 4, text.length, 0] }));
    json(200, request.path.includes('batchEmbedContents') ? { embeddings: values } : { embedding: values[0] })(
      response,
      request,
    );
  });
});
afterAll(async () => {
  await server.close(0);
  await provider.close();
});

interface Content {
  readonly content: { readonly parts: readonly { readonly text: string }[] };
}

function textsOf({ body }: ReceivedRequest): readonly string[] {
  const requests = (body['requests'] ?? [body]) as readonly Content[];
  return requests.map(({ content }) => content.parts[0]?.text ?? '');
}

async function embed(body: object): Promise<{ status: number; data?: { embedding: number[] }[]; error?: object }> {
  const response = await server.fetch(
    new Request('http://localhost/v1/embeddings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gemini', encoding_format: 'float', ...body }),
    }),
  );
  return { status: response.status, ...((await response.json()) as object) };
}

test('returns an embedding for each input, in their order', async () => {
  const { data } = await embed({ input: ['a', 'bcd'] });
  expect(data?.map(({ embedding }) => embedding)).toEqual([
    [3, 4, 1, 0],
    [3, 4, 3, 0],
  ]);
});

test('makes several calls for more inputs than the provider takes at once', async () => {
  const input = Array.from({ length: 250 }, (_, index) => 'x'.repeat(index + 1));
  const { data } = await embed({ input });
  expect(data?.map(({ embedding }) => embedding[2])).toEqual(input.map(({ length }) => length));
  expect(provider.received.map((request) => textsOf(request).length).toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
});

test('sends dimensions, and returns 400 when the provider ignores them', async () => {
  expect(await embed({ input: 'a', dimensions: 2 })).toMatchObject({
    status: 400,
    error: { code: 'unsupported_parameter', param: 'dimensions' },
  });
  expect(provider.received[0]?.body).toMatchObject({ outputDimensionality: 2 });
});

test('the server truncates embeddings where dimensions are emulated', async () => {
  const { data } = await embed({ model: 'emulating', input: 'a', dimensions: 2 });
  expect(data?.[0]?.embedding).toEqual([expect.closeTo(0.6) as number, expect.closeTo(0.8) as number]);
  expect(provider.received[0]?.body).not.toHaveProperty('outputDimensionality');
});

test('returns 400 for token IDs', async () => {
  expect(await embed({ input: [1, 2, 3] })).toMatchObject({ status: 400, error: { param: 'input' } });
});

test('passes on errors of the provider', async () => {
  provider.respond(json(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slow down.' } }));
  expect(await embed({ input: 'a' })).toMatchObject({
    status: 429,
    error: { code: 'rate_limit_exceeded', message: 'Slow down.' },
  });
});
