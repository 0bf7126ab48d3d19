import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { gate, startRecordingServer } from '../../test/recording.ts';
import type { RecordingServer } from '../../test/recording.ts';
import { download } from './download.ts';
import type { DownloadOptions } from './download.ts';
import { createTransport } from '../transport/transport.ts';
import type { TransportOptions } from '../transport/options.ts';

const route = { method: 'GET', path: '/content' } as const;
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);

/** Answers with the bytes asked for, the connection cut after `cut` of them. */
function respond(response: ServerResponse, range: string | undefined, truncateAfter: number, headers = {}): void {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  const start = from === '' && to !== '' ? 1000 - Number(to) : Number(from);
  const end = from === '' || to === '' ? 1000 : Number(to) + 1;
  const content = range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/1000` };
  const length = { 'content-length': end - start, etag: '"v1"' };
  response.writeHead(range === undefined ? 200 : 206, { ...length, ...content, ...headers });
  if (end - start <= truncateAfter) response.end(bytes.subarray(start, end));
  else response.write(bytes.subarray(start, start + truncateAfter), () => setTimeout(() => response.destroy(), 5));
}

function get(
  { baseURL }: RecordingServer,
  options: DownloadOptions = {},
  settings: TransportOptions = {},
): Promise<Response> {
  return download(createTransport({ baseURL, backoff: () => 0, ...settings }), route, options);
}

test.each([
  [undefined, undefined, 0, 1000],
  [{ start: 10 }, 'bytes=10-', 10, 1000],
  [{ start: 10, end: 20 }, 'bytes=10-19', 10, 20],
  [{ start: -5 }, 'bytes=-5', 995, 1000],
])('requests the range %j as %s', async (range, rangeHeader, start, end) => {
  const server = await startRecordingServer((response, { headers }) => respond(response, headers.range, Infinity));
  const response = await get(server, { range });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes.slice(start, end));
  expect(response.status).toBe(range === undefined ? 200 : 206);
  expect(server.recorded[0]?.headers).toMatchObject({ accept: '*/*' });
  expect(server.recorded[0]?.headers.range).toBe(rangeHeader);
});

test('accepts a reason phrase with characters that a Response cannot have', async () => {
  const server = await startRecordingServer((response, { headers }) => {
    // Node writes it as Latin-1, so these are the bytes of the text in UTF-8.
    response.statusMessage = Buffer.from('OK ✓').toString('latin1');
    respond(response, headers.range, Infinity);
  });
  const response = await get(server);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  expect(server.recorded).toHaveLength(1);
});

test.each([{ start: 1.5 }, { start: 5, end: 5 }, { start: -5, end: 2 }])(
  'rejects the range %j with an InputError',
  async (range) => {
    const server = await startRecordingServer((response) => response.end());
    await expect(get(server, { range })).rejects.toMatchObject({ name: 'InputError', param: 'range' });
    expect(server.recorded).toEqual([]);
  },
);

test.each([undefined, { start: 100, end: 900 }])(
  'resumes after the last byte received when the connection fails: %j',
  async (range) => {
    const server = await startRecordingServer((response, { headers }) => respond(response, headers.range, 300));
    const response = await get(server, { range });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes.slice(range?.start, range?.end));
    const last = (range?.end ?? 1000) - 1;
    const first = range?.start ?? 0;
    expect(server.recorded.slice(1).map(({ headers }) => [headers.range, headers['if-range']])).toEqual(
      [first + 300, first + 600, first + 900]
        .filter((start) => start <= last)
        .map((start) => [`bytes=${start}-${last}`, '"v1"']),
    );
  },
);

test.each([
  ['the server does not support ranges', { status: 200, start: 0, size: 1000 }],
  ['the content has changed', { status: 206, start: 300, size: 999 }],
  ['the server sends another range', { status: 206, start: 200, size: 1000 }],
])('a failed connection is an error when %s', async (_, { status, start, size }) => {
  const server = await startRecordingServer((response, __, count) => {
    if (count === 1) {
      respond(response, undefined, 300);
      return;
    }
    response.writeHead(status, status === 206 ? { 'content-range': `bytes ${start}-${size - 1}/${size}` } : {});
    response.end(bytes.subarray(start));
  });
  await expect((await get(server)).arrayBuffer()).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(server.recorded).toHaveLength(2);
});

test('a connection that keeps failing without a byte is an error after maxRetries', async () => {
  const server = await startRecordingServer((response, { headers }, count) =>
    respond(response, headers.range, count === 1 ? 300 : 0),
  );
  await expect((await get(server, { maxRetries: 3 })).arrayBuffer()).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(server.recorded).toHaveLength(4);
});

test('does not resume with maxRetries 0, nor an encoded body', async () => {
  const none = await startRecordingServer((response, { headers }) => respond(response, headers.range, 300));
  await expect((await get(none, {}, { maxRetries: 0 })).arrayBuffer()).rejects.toThrow();
  const encoded = await startRecordingServer((response, { headers }) =>
    respond(response, headers.range, 300, { 'content-encoding': 'identity' }),
  );
  await expect((await get(encoded)).arrayBuffer()).rejects.toThrow();
  expect([none.recorded.length, encoded.recorded.length]).toEqual([1, 1]);
});

test('cancelling the body closes the connection, and so does aborting the signal', async () => {
  const disconnected = gate();
  const server = await startRecordingServer((response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(bytes.subarray(0, 10));
    response.on('close', disconnected.open);
  });
  const response = await get(server);
  const reader = response.body!.getReader();
  expect((await reader.read()).value).toHaveLength(10);
  const pending = reader.read();
  await reader.cancel();
  await pending;
  await disconnected.opened;

  const controller = new AbortController();
  const abortedResponse = await get(server, { signal: controller.signal });
  const reading = abortedResponse.arrayBuffer();
  controller.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  expect(server.recorded).toHaveLength(2);
});
