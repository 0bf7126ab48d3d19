import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { createServer } from '@modelwire/server';
import type { Blobs, Stores, VideoEngine } from '@modelwire/ports';
import type { ServerOptions } from '@modelwire/server';
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
  const http = createHttp(nodeListener(server));
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
