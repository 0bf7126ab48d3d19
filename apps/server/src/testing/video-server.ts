import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { getRequestListener } from '@hono/node-server';
import { createServer, VideoError } from '@modelwire/server';
import type { Blobs, ServerOptions, Stores, VideoContext, VideoEngine, VideoJob } from '@modelwire/server';
import { nodeListener } from '@modelwire/server/node';
import { openSqliteStores } from '@modelwire/store-sqlite';
import type OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { clientOf, key } from './test-server.ts';

export interface VideoServer {
  readonly url: string;
  readonly client: OpenAI;
  readonly stores: Stores;
  readonly blobs: Blobs;
  /** Errors of background work. */
  readonly reported: string[];
  close(): Promise<void>;
}

/** Starts the server kit with one video engine, on real stores and a real port. Pass the `data` of an earlier server to restart it. */
export async function serveVideos(
  engine: VideoEngine,
  {
    data = mkdtempSync(join(tmpdir(), 'modelwire-videos-')),
    ...options
  }: Partial<ServerOptions> & { data?: string } = {},
): Promise<VideoServer> {
  const stores = await openSqliteStores({ path: join(data, 'modelwire.sqlite') });
  const blobs = await openFsBlobs({ path: join(data, 'blobs') });
  const reported: string[] = [];
  const server = createServer({
    engines: [],
    videoEngines: [engine],
    keys: [key],
    stores,
    blobs,
    jobTimes: { pollMs: 50, leaseMs: 20_000, renewMs: 200, retryMs: 20 },
    report: (what) => reported.push(what),
    ...options,
  });
  const http = createHttp(
    nodeListener(server, (request, response) => void getRequestListener(server.fetch)(request, response)),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closed ??= (async () => {
      await server.close(100);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await stores.close();
      await blobs.close();
    })());
  onTestFinished(async () => {
    await close();
    rmSync(data, { recursive: true, force: true });
  });
  return { url, client: clientOf(url), stores, blobs, reported, close };
}

export interface ScriptedVideos extends VideoEngine {
  /** All calls in order. */
  readonly calls: { readonly job: VideoJob; readonly context: VideoContext; aborted: boolean }[];
}

/** A video engine controlled by the prompt: `wait`, `fail`, `crash`, `nothing`; any other prompt renders a video. */
export function scriptedVideos(models: readonly string[] = ['scripted']): ScriptedVideos {
  const calls: ScriptedVideos['calls'] = [];
  return {
    name: 'scripted',
    calls,
    concurrency: 2,
    models: () =>
      models.map((id) => ({
        id,
        created: 1_700_000_000,
        owned_by: 'tests',
        sizes: ['720x1280', '1280x720'],
        seconds: ['4', '8'],
        inputReference: id !== 'blind',
      })),
    async render(job, context) {
      const call = { job, context, aborted: false };
      calls.push(call);
      context.progress(10);
      if (job.prompt === 'fail') throw new VideoError('too_dark', 'It is too dark to see.');
      if (job.prompt === 'crash') throw new Error('a secret of the inside');
      if (job.prompt === 'wait') {
        await new Promise<void>((_, reject) => {
          context.signal.addEventListener('abort', () => {
            call.aborted = true;
            reject(context.signal.reason as Error);
          });
        });
      }
      context.progress(60);
      if (job.prompt === 'nothing') return;
      await context.save('thumbnail', 'image/webp', bytesOf('thumbnail'));
      await context.save('video', 'video/mp4', bytesOf(`first try of ${job.prompt}`));
      await context.save('video', 'video/mp4', bytesOf(`video of ${job.prompt}, seed ${job.seed}`));
    },
  };
}

function bytesOf(text: string): AsyncIterable<Uint8Array> {
  return new Blob([text]).stream();
}
