import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

test('answers health and readiness without a key, and paths without /v1 with one', async () => {
  const server = await startTestServer({ moderation: false, videos: false });
  onTestFinished(() => server.stop());
  const get = (path: string) => fetch(new URL(path, server.url));
  for (const path of ['/healthz', '/health', '/readyz']) {
    const response = await get(path);
    expect([response.status, response.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
  }
  expect((await get('/models')).status).toBe(401);
  expect((await get('/nothing')).status).toBe(404);
});

test('checks with HEAD and with a query succeed; other methods are refused', async () => {
  const server = await startTestServer({ moderation: false, videos: false });
  onTestFinished(() => server.stop());
  const health = (path: string, method: string) => fetch(new URL(path, server.url), { method });
  for (const [path, method] of [
    ['/healthz', 'HEAD'],
    ['/health?from=probe', 'GET'],
  ] as const) {
    const response = await health(path, method);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '15']);
  }
  expect((await health('/healthz', 'POST')).status).toBe(404);
  expect((await health('/healthzz', 'GET')).status).toBe(404);
});

test('/healthz returns 200 while a database thread is restarted, and 503 if it dies repeatedly', async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => {
    if (worker.threadName === 'modelwire-sqlite-writer') workers.push(worker);
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const server = await startTestServer({ moderation: false, videos: false });
  onTestFinished(() => server.stop());
  const health = async () => (await fetch(`${server.url}/healthz`)).status;
  const stored = { model: 'simulator', store: true, messages: [{ role: 'user' as const, content: 'Hi' }] };
  for (let death = 1; death <= 5; death++) {
    expect(await health()).toBe(200);
    for (const worker of workers.splice(0)) await worker.terminate();
    // Stored, so the writing thread has been restarted.
    expect((await server.client.chat.completions.create(stored)).object).toBe('chat.completion');
  }
  expect(await health()).toBe(503);
}, 300_000);
