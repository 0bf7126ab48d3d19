import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenForTest } from '@modelwire/vitest/listen';
import { freePort } from '@modelwire/ports/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readTracingSettings } from './settings.ts';
import { startTracing } from './start-tracing.ts';

/** An OTLP receiver that responds with a status, or never responds if it is undefined. */
async function receiver(status: number | undefined) {
  const bodies: string[] = [];
  const requests: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] =
    [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body.toString());
      requests.push({ url: request.url, headers: request.headers, body });
      if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { url: `http://${await listenForTest(server)}`, bodies, requests };
}

type Environment = Readonly<Record<string, string>>;

async function started(url: string, env: Environment) {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...env };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const settings = readTracingSettings(process.env);
  if (!settings) throw new Error('tracing is disabled');
  const failures: string[] = [];
  const onExportFailure = (cause: string): void => void failures.push(cause);
  return { ...(await startTracing({ settings, version: '1.2.3', onExportFailure })), failures };
}

const request = { method: 'GET', url: '/v1/models', route: '/v1/models', startedAt: 0, header: () => null };
const outcome = { requestId: 'req_1', status: 200, durationMs: 1 };

interface ExportSpansOptions {
  /** Status of the responses; undefined if the receiver never responds. Default: 200. */
  readonly status?: number | undefined;
  readonly spans?: number;
  readonly path?: string;
}

/** Exports spans to a receiver that responds with a status, and closes. */
async function exportSpans(env: Environment, options: ExportSpansOptions = {}) {
  const { status, spans = 1, path = '' } = { status: 200, ...options };
  const { url, bodies, requests } = await receiver(status);
  const { observer, close, failures } = await started(`${url}${path}`, env);
  for (let sent = 0; sent < spans; sent++) observer.startRequest(request).end(outcome);
  await close();
  return { bodies, requests, failures };
}

test('close exports the remaining spans, with the resource attributes of the environment', async () => {
  const { bodies, failures } = await exportSpans({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test' });
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain('GET /v1/models');
  expect(bodies[0]).toMatch(/"service.name","value":\{"stringValue":"modelwire"/);
  expect(bodies[0]).toMatch(/"service.version","value":\{"stringValue":"1.2.3"/);
  expect(bodies[0]).toMatch(/"deployment.environment","value":\{"stringValue":"test"/);
  expect(failures).toEqual([]);
});

test('OTEL_SERVICE_NAME sets the name of the service', async () => {
  const { bodies } = await exportSpans({ OTEL_SERVICE_NAME: 'gateway' });
  expect(bodies[0]).toMatch(/"service.name","value":\{"stringValue":"gateway"/);
});

test('the default protocol is Protocol Buffers, with the path and headers of the environment', async () => {
  const { requests, failures } = await exportSpans(
    {
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
    },
    { path: '/base' },
  );
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    url: '/base/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', authorization: 'Bearer secret' },
  });
  // Field 1 of the export request: the spans of one resource.
  expect(requests[0]?.body[0]).toBe(0x0a);
  expect(requests[0]?.body.toString()).toMatch(/service\.name.*modelwire.*GET \/v1\/models/s);
  expect(failures).toEqual([]);
});

test('OTEL_EXPORTER_OTLP_COMPRESSION compresses the export', async () => {
  const { requests } = await exportSpans({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  });
  expect(requests[0]?.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(requests[0]?.body ?? '').toString()).toContain('GET /v1/models');
});

const protocols = ['http/json', 'http/protobuf'];

test.each(protocols)('reports failures of consecutive exports once, with %s', async (protocol) => {
  const { bodies, failures } = await exportSpans(
    { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' },
    { status: 400, spans: 3 },
  );
  expect(bodies.length).toBeGreaterThan(1);
  expect(failures).toEqual(['status 400']);
});

test.each([
  [500, 'status 500'],
  // The SDK retries after these statuses, until the timeout, and does not tell them apart.
  [429, 'status 429, 502, 503 or 504'],
  [503, 'status 429, 502, 503 or 504'],
])('reports the status %i of the receiver', async (status, cause) => {
  const { failures } = await exportSpans({ OTEL_EXPORTER_OTLP_TIMEOUT: '300' }, { status });
  expect(failures).toEqual([cause]);
});

test('reports a receiver that does not respond in time', async () => {
  const { failures } = await exportSpans({ OTEL_EXPORTER_OTLP_TIMEOUT: '100' }, { status: undefined });
  expect(failures).toEqual(['timeout']);
});

test('reports the error code of a receiver that cannot be connected to, without its address or headers', async () => {
  const env = { OTEL_EXPORTER_OTLP_TIMEOUT: '300', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret' };
  const { observer, close, failures } = await started(`http://127.0.0.1:${await freePort()}`, env);
  observer.startRequest(request).end(outcome);
  await close();
  expect(failures).toEqual(['ECONNREFUSED']);
});

test.each(protocols)(
  'spans beyond the queue are dropped while the receiver does not answer, and close does not wait for it, with %s',
  async (protocol) => {
    const { url, bodies } = await receiver(undefined);
    const { observer, close } = await started(url, {
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    });
    observer.startRequest(request).end(outcome);
    await vi.waitUntil(() => bodies.length === 1);
    for (let sent = 0; sent < 1000; sent++) observer.startRequest(request).end(outcome);
    await close(100);
    await vi.waitUntil(() => bodies.length === 2);
    expect(bodies[1]?.match(/GET \/v1\/models/g)).toHaveLength(10);
  },
);

test.each(protocols)('exports each span once, in batches of limited size, with %s', async (protocol) => {
  const { url, bodies } = await receiver(200);
  const { observer, close, failures } = await started(url, {
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '50',
  });
  for (let sent = 0; sent < 1230; sent++) {
    observer.startRequest(request).end({ ...outcome, requestId: `req_${String(sent).padStart(4, '0')}` });
    if (sent % 40 === 0) await new Promise(setImmediate);
  }
  await close();
  const batches = bodies.map((body) => body.match(/req_\d{4}/g) ?? []);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
  expect(batches.flat().toSorted()).toEqual(
    Array.from({ length: 1230 }, (_, sent) => `req_${String(sent).padStart(4, '0')}`),
  );
  expect(failures).toEqual([]);
});

test.each(protocols)('close exports any number of batches, with %s', async (protocol) => {
  const { bodies, failures } = await exportSpans(
    { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' },
    { spans: 100 },
  );
  expect(bodies.flatMap((body) => body.match(/GET \/v1\/models/g) ?? [])).toHaveLength(100);
  expect(failures).toEqual([]);
});

test('close waits for the export in progress', async () => {
  const { bodies, failures } = await exportSpans({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
  expect(bodies).toHaveLength(1);
  expect(failures).toEqual([]);
});
