import { freePort } from '@modelwire/ports/testing';
import { expect, test, vi } from 'vitest';
import { attribute, receiveSpans } from '../testing/receive-spans.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import { startTraces } from './tracing.ts';

const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${callerTrace}-b7ad6b7169203331-01`;

/** A server in front of another one. */
async function startTwo() {
  const behind = await startTestServer({ simulator: { models: [{ id: 'talker', reply: 'Hello there' }] } });
  const front = await startTestServer({
    simulator: false,
    upstreams: [{ name: 'behind', baseURL: `${behind.url}/v1`, apiKey: key }],
    models: { talker: {} },
  });
  return {
    url: front.url,
    client: front.client,
    async stop() {
      await front.stop();
      await behind.stop();
    },
  };
}

test.each([false, true])('a trace connects the client with two servers, with stream: %s', async (stream) => {
  const spans = await receiveSpans();
  const { url, stop } = await startTwo();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ model: 'talker', stream, messages: [{ role: 'user', content: 'confidential' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
  await stop();
  const trace = spans.filter(({ traceId }) => traceId === callerTrace);
  const childrenOf = (parent: string | undefined) => trace.filter(({ parentSpanId }) => parentSpanId === parent);
  const child = (parent: string | undefined, name: string) => childrenOf(parent).find((span) => span.name === name);
  const frontServer = child('b7ad6b7169203331', 'POST /v1/chat/completions');
  const frontGeneration = child(frontServer?.spanId, 'chat talker');
  const attempt = child(frontGeneration?.spanId, 'POST behind');
  const behindServer = child(attempt?.spanId, 'POST /v1/chat/completions');
  const behindGeneration = child(behindServer?.spanId, 'chat talker');
  expect(behindGeneration && attribute(behindGeneration, 'gen_ai.usage.output_tokens')).toBeGreaterThan(0);
  expect(frontGeneration && attribute(frontGeneration, 'gen_ai.request.stream')).toBe(stream || undefined);
  expect(JSON.stringify(spans)).not.toMatch(/confidential|Hello/);
});

test('spans have the messages of requests and replies where the environment asks for them', async () => {
  const spans = await receiveSpans({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
  const { client, stop } = await startTwo();
  await client.chat.completions.create({ model: 'talker', messages: [{ role: 'user', content: 'confidential' }] });
  await stop();
  const generations = spans.filter(({ name }) => name === 'chat talker');
  expect(generations).toHaveLength(2);
  for (const span of generations) {
    expect(JSON.parse(String(attribute(span, 'gen_ai.input.messages')))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'confidential' }] },
    ]);
    expect(JSON.parse(String(attribute(span, 'gen_ai.output.messages')))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Hello there' }], finish_reason: 'stop' },
    ]);
  }
});

test('storage operations of a request are spans of it', async () => {
  const spans = await receiveSpans();
  const { client, stop } = await startTestServer();
  await client.files.create({ file: new File(['text'], 'a.txt'), purpose: 'user_data' });
  await stop();
  const server = spans.find(({ name }) => name === 'POST /v1/files');
  const names = spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['files write', 'sqlite write']));
});

test('lines of a batch are linked to their batch', async () => {
  const spans = await receiveSpans();
  const { client, stop } = await startTestServer({ simulator: { models: [{ id: 'talker', reply: 'Hello' }] } });
  const line = (id: string) =>
    JSON.stringify({
      custom_id: id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'talker', messages: [{ role: 'user', content: 'Hi' }] },
    });
  const file = new File([`${line('a')}\n${line('b')}\n`], 'batch.jsonl');
  const { id } = await client.files.create({ file, purpose: 'batch' });
  const batch = await client.batches.create({
    input_file_id: id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  await vi.waitUntil(async () => (await client.batches.retrieve(batch.id)).status === 'completed', {
    timeout: 30_000,
    interval: 50,
  });
  await stop();
  const batchSpan = spans.find(({ name }) => name === 'batch');
  const lines = spans.filter((span) => span.name === 'POST /v1/chat/completions');
  expect(batchSpan && attribute(batchSpan, 'modelwire.batch.id')).toBe(batch.id);
  expect(lines.map(({ links }) => links?.map(({ spanId }) => spanId))).toEqual([
    [batchSpan?.spanId],
    [batchSpan?.spanId],
  ]);
  expect(lines.every((span) => attribute(span, 'modelwire.batch.id') === batch.id)).toBe(true);
});

test('logs why traces are not exported', async () => {
  await receiveSpans({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100');
  const lines: unknown[] = [];
  const tracing = await startTraces({ warn: (...line: unknown[]) => void lines.push(line) });
  const request = { method: 'GET', url: '/v1/models', route: '/v1/models', startedAt: 0, header: () => null };
  tracing?.observer.startRequest(request).end({ requestId: 'req_1', status: 200, durationMs: 1 });
  await tracing?.close();
  expect(lines).toEqual([[{ cause: 'ECONNREFUSED' }, 'traces are not exported']]);
});

test('a variable with an unsupported value prevents the start, and is named', async () => {
  await receiveSpans({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  await expect(startTestServer()).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf or http/json');
});
