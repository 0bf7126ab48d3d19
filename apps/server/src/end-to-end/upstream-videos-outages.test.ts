import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createUpstreamVideos } from '@modelwire/engine-upstream';
import type { RequestLogEntry } from '@modelwire/server';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, test } from 'vitest';
import { key } from '../testing/test-server.ts';
import { scriptedVideos } from '../testing/scripted-videos.ts';
import { serveVideos } from '../testing/video-server.ts';

const pollOptions = { timeout: 60_000, interval: 20 };

/** In front of another server: returns the given responses instead, while they are set. */
async function startProxy(url: string, instead: (request: IncomingMessage, response: ServerResponse) => boolean) {
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const body = method === 'POST' ? await buffer(request) : undefined;
    const sent = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key', 'range'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const answer = await fetch(`${url}${request.url ?? ''}`, { method, headers: sent, ...(body && { body }) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
  }
  const http = createServer((request, response) => {
    if (!instead(request, response)) void pass(request, response);
  });
  return `http://${await listenForTest(http)}`;
}

const respondWithError = (status: number, code: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify({ error: { message: 'not now', type: 'server_error', code, param: null } }));
};
const closeConnection = (response: ServerResponse): void => void response.destroy();

test.each([
  ['is overloaded on create', 'POST', respondWithError(503, 'overloaded'), [503, 503, 200]],
  ['returns 429 on create', 'POST', respondWithError(429, 'rate_limit_exceeded'), [429, 429, 200]],
  ['closes the connection on create', 'POST', closeConnection, [503, 503, 200]],
  ['is overloaded on retrieve', 'GET', respondWithError(503, 'overloaded'), [503, 200]],
])('retries an upstream that %s, and creates one video', async (_, method, failRequest, statuses) => {
  const engine = scriptedVideos(['sketch']);
  const inner = await serveVideos(engine);
  // More often than a client retries, and than `wait` tolerates.
  let failuresLeft = method === 'POST' ? 7 : 40;
  const url = await startProxy(inner.url, (request, response) => {
    if (request.method !== method || failuresLeft === 0) return false;
    failuresLeft--;
    failRequest(response);
    return true;
  });
  const upstream = createUpstreamVideos({ baseURL: `${url}/v1`, apiKey: key, models: { sketch: {} }, pollMs: 20 });
  const log: RequestLogEntry[] = [];
  const outer = await serveVideos(upstream, { log: (entry) => log.push(entry) });
  const { id } = await outer.client.videos.create({ prompt: 'a boat' });
  await expect.poll(async () => (await outer.client.videos.retrieve(id)).status, pollOptions).toBe('completed');
  // The line of the request, and one of each run.
  const logged = () => log.flatMap(({ video, status }) => (video === id ? [status] : []));
  await expect.poll(logged, pollOptions).toEqual([200, ...statuses]);
  expect([failuresLeft, engine.calls.length]).toEqual([0, 1]);
  expect(new Set(outer.reported)).toEqual(new Set(['video job failed, it will be retried']));
});

test('an exhausted upstream quota fails the video', async () => {
  const url = await startProxy('', (_, response) => {
    respondWithError(429, 'insufficient_quota')(response);
    return true;
  });
  const outer = await serveVideos(
    createUpstreamVideos({ baseURL: `${url}/v1`, apiKey: key, models: { sketch: {} }, pollMs: 20 }),
  );
  const { id } = await outer.client.videos.create({ prompt: 'a boat' });
  await expect
    .poll(async () => (await outer.client.videos.retrieve(id)).error?.code, pollOptions)
    .toBe('insufficient_quota');
});

test('deletes a video on the upstream if it is deleted through another replica', async () => {
  const engine = scriptedVideos(['sketch']);
  const inner = await serveVideos(engine);
  const upstream = () =>
    createUpstreamVideos({ baseURL: `${inner.url}/v1`, apiKey: key, models: { sketch: {} }, pollMs: 20 });
  const data = mkdtempSync(join(tmpdir(), 'modelwire-videos-'));
  const one = await serveVideos(upstream(), { data });
  const two = await serveVideos(upstream(), { data, worker: false });
  const { id } = await one.client.videos.create({ prompt: 'wait' });
  await expect.poll(async () => (await two.client.videos.retrieve(id)).progress, pollOptions).toBe(10);
  await two.client.videos.delete(id);
  await expect.poll(async () => (await inner.client.videos.list()).data.length, pollOptions).toBe(0);
});
