import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

const poisonedPrompt = 'a boat that sinks its server';
const pollOptions = { timeout: 60_000, interval: 50 };

/**
 * A video server that outlives the servers in front of it. It reports each prompt before it responds, and its videos complete
 * immediately.
 */
async function videoUpstream(onPrompt: (prompt: string) => Promise<void>): Promise<string> {
  const video = (id: string) => ({
    id,
    object: 'video',
    model: 'sketch',
    status: 'completed',
    progress: 100,
    created_at: 1,
    completed_at: 2,
    expires_at: null,
    error: null,
    prompt: '',
    remixed_from_video_id: null,
    size: '720x1280',
    seconds: '4',
  });
  const http = createServer((request, response) => {
    const [, id = 'video_1', content] = (request.url ?? '').match(/^\/v1\/videos\/?([^/?]*)(\/content)?/) ?? [];
    if (content !== undefined) {
      response.setHeader('content-type', 'video/mp4');
      response.end('frames');
      return;
    }
    void text(request).then(async (body) => {
      if (request.method === 'POST') await onPrompt(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(video(id === '' ? 'video_1' : id)));
    });
  });
  return `http://${await listenForTest(http)}/v1`;
}

test(
  'a video whose generation kills the server three times while it is rendered alone fails with worker_crashed, and the other videos are completed',
  { timeout: 300_000 },
  async () => {
    let server: ServerProcess | undefined;
    let crashes = 0;
    let ready: Promise<undefined> | undefined;
    const baseURL = await videoUpstream(async (body) => {
      if (!body.includes(poisonedPrompt)) return;
      await ready;
      crashes++;
      server?.kill('SIGKILL');
    });
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-videos-poison-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const videos = { storyboard: false, upstream: { baseURL, models: { sketch: {} } } };
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ videos, jobLeaseMs: 1000 }));
    // The server is ready, although it resumes the job that kills it again.
    const start = async (): Promise<ServerProcess> => {
      const started = Promise.withResolvers<undefined>();
      ready = started.promise;
      server = await startProcess(cwd);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      started.resolve(undefined);
      return server;
    };

    const first = clientOf((await start()).url);
    const before = await first.videos.create({ prompt: 'a boat' });
    await expect.poll(async () => (await first.videos.retrieve(before.id)).status, pollOptions).toBe('completed');
    // The server may be gone before it has responded: the client then has no ID.
    await first.videos.create({ prompt: poisonedPrompt }, { maxRetries: 0 }).catch(() => undefined);
    // Other videos may have been rendered during the first crash.
    for (let crash = 1; crash <= 4; crash++) {
      await server?.exited;
      expect(crashes).toBe(crash);
      await start();
    }

    const client = clientOf(server?.url ?? '');
    const poisoned = async () => {
      const all = await Array.fromAsync(client.videos.list());
      return all.filter(({ prompt }) => prompt === poisonedPrompt);
    };
    await expect.poll(async () => (await poisoned()).map(({ status }) => status), pollOptions).toEqual(['failed']);
    expect(await poisoned()).toMatchObject([
      { error: { code: 'worker_crashed', message: expect.any(String) as string } },
    ]);
    const after = await client.videos.create({ prompt: 'a boat' });
    await expect.poll(async () => (await client.videos.retrieve(after.id)).status, pollOptions).toBe('completed');
    expect(await client.videos.retrieve(before.id)).toMatchObject({ status: 'completed', error: null });
    expect(crashes).toBe(4);
  },
);
