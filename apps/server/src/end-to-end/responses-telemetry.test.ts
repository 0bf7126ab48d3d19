import { expect, test, vi } from 'vitest';
import { startObservedServer, startRecordingUpstream } from '../testing/observed-server.ts';
import { attribute, receiveSpans } from '../testing/receive-spans.ts';

/** Creates a background response, and waits for its end and for the log line of its generation. */
async function runInBackground(
  { client, log }: Awaited<ReturnType<typeof startObservedServer>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const { id } = await client.responses.create({ model: 'talker', input: 'Hi', background: true }, { headers });
  const patient = { timeout: 60_000 };
  await vi.waitUntil(() => log.filter(({ response }) => response === id).length === 2, patient);
  return vi.waitUntil(async () => {
    const response = await client.responses.retrieve(id);
    return response.status !== 'in_progress' && response;
  }, patient);
}

async function startWithUpstream(reply: readonly [number, object] | string) {
  const upstream = await startRecordingUpstream(() => reply);
  const server = await startObservedServer({
    simulator: false,
    upstreams: [{ name: 'behind', baseURL: `${upstream.url}/v1` }],
    models: { talker: {} },
  });
  return { upstream, server };
}

test('the generation of a background response continues the trace of its request', async () => {
  const spans = await receiveSpans();
  const { upstream, server } = await startWithUpstream('Hello');
  const { id, status } = await runInBackground(server);
  expect(status).toBe('completed');
  await server.stop();
  const request = spans.find((span) => span.name === 'POST /v1/responses' && span.parentSpanId === undefined);
  const childOf = (parent: string | undefined, name: string) =>
    spans.find((span) => parent !== undefined && span.parentSpanId === parent && span.name === name);
  const run = childOf(request?.spanId, 'POST /v1/responses');
  const generation = childOf(run?.spanId, 'chat talker');
  const attempt = childOf(generation?.spanId, 'POST behind');
  expect(run && attribute(run, 'modelwire.response.id')).toBe(id);
  expect(upstream.requests.map(({ traceparent }) => traceparent)).toEqual([
    `00-${request?.traceId}-${attempt?.spanId}-01`,
  ]);
});

test('the log lines of a background response have its ID and the trace of its request', async () => {
  await receiveSpans();
  const { server } = await startWithUpstream('Hello');
  const { id } = await runInBackground(server);
  const [first, second] = server.log.filter(({ response }) => response === id);
  expect(first?.traceId).toMatch(/^[\da-f]{32}$/);
  expect(second).toMatchObject({ traceId: first?.traceId, status: 200, usage: { total_tokens: 12 } });
  expect(second?.requestId).not.toBe(first?.requestId);
});

test('the trace of a client is passed to the upstream, without traces of this server', async () => {
  const { upstream, server } = await startWithUpstream('Hello');
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const { id } = await runInBackground(server, { traceparent });
  expect(upstream.requests.map((request) => request.traceparent)).toEqual([traceparent]);
  expect(server.log.filter(({ response }) => response === id)).toMatchObject([{ traceId }, { traceId }]);
});

test('metrics count the generation of a background response, and its request once', async () => {
  const { server } = await startWithUpstream('Hello');
  await runInBackground(server);
  expect(await server.metricLines('modelwire_requests_total{method="POST",route="/v1/responses"')).toEqual([
    'modelwire_requests_total{method="POST",route="/v1/responses",status="200",code=""} 1',
  ]);
  expect(await server.metricLines('modelwire_generations_total')).toContain(
    'modelwire_generations_total{model="talker",operation="chat",outcome="completed"} 1',
  );
  expect(await server.metricLines('type="output"')).toEqual(['modelwire_tokens_total{model="talker",type="output"} 2']);
  expect(await server.metricLines('modelwire_upstream_attempts_total')).toContain(
    'modelwire_upstream_attempts_total{upstream="behind",outcome="succeeded"} 1',
  );
});

test('metrics and the log have the failure of an upstream of a background response', async () => {
  const { server } = await startWithUpstream([400, { error: { message: 'no', type: 'invalid_request_error' } }]);
  const { id, status } = await runInBackground(server);
  expect(status).toBe('failed');
  expect(await server.metricLines('modelwire_upstream_failures_total')).toEqual([
    'modelwire_upstream_failures_total{upstream="behind",reason="status 400"} 1',
  ]);
  expect(server.log.findLast(({ response }) => response === id)).toMatchObject({ status: 400, upstream: 'behind' });
});

test('a response without capacity is retried with increasing delays, and its failed runs are logged as such', async () => {
  let reply: readonly [number, object] | string = [503, { error: { message: 'busy', type: 'server_error' } }];
  const upstream = await startRecordingUpstream(() => reply);
  const server = await startObservedServer({
    simulator: false,
    upstreams: [{ name: 'behind', baseURL: `${upstream.url}/v1` }],
    models: { talker: {} },
    circuitBreaker: { failures: 100 },
  });
  const { id } = await server.client.responses.create({ model: 'talker', input: 'Hi', background: true });
  const failedRuns = () => server.log.filter(({ response, status }) => response === id && status === 503);
  await vi.waitUntil(() => failedRuns().length === 2, { timeout: 30_000, interval: 20 });
  reply = 'Hello';
  const isDone = async () => (await server.client.responses.retrieve(id)).status === 'completed';
  await vi.waitUntil(isDone, { timeout: 30_000, interval: 50 });
  const delays = failedRuns().map(({ retryInMs = 0 }) => retryInMs);
  expect(delays[0]).toBe(2000);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  const last = server.log.findLast(({ response }) => response === id);
  expect(last).toMatchObject({ status: 200 });
  expect(last).not.toHaveProperty('retryInMs');
});
