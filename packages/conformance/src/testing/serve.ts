import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { createTextModeration } from '@modelwire/engine-moderation';
import { createSimulator, createSimulatorEmbedding } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import type { ServerOptions } from '@modelwire/server';
import { quickVideos } from './quick-videos.ts';
import { openSqliteStores } from '@modelwire/store-sqlite';

export const apiKey = 'conformance-key-1234567890';
export const baseURL = 'http://server.invalid/v1';

/** Long enough for a loaded machine. */
export const generousTimeouts = {
  requestTimeoutMs: 120_000,
  checkTimeoutMs: 240_000,
  jobTimeoutMs: 480_000,
  budgetMs: 840_000,
} as const;

export interface ConformanceTestServer {
  /** Calls the server without a port. */
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** The server with its default composition, in process: embedded engines, SQLite, blobs in a folder. */
export async function serve(options: Partial<ServerOptions> = {}): Promise<ConformanceTestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-conformance-'));
  const stores = await openSqliteStores({ path: join(folder, 'modelwire.sqlite') });
  const blobs = await openFsBlobs({ path: join(folder, 'blobs') });
  const server = createServer({
    engines: [createSimulator()],
    embeddingEngines: [createSimulatorEmbedding()],
    moderationEngines: [createTextModeration()],
    videoEngines: [quickVideos],
    keys: [apiKey],
    stores,
    blobs,
    jobTimes: { pollMs: 50 },
    ...options,
  });
  return {
    fetch: async (input, init) => server.fetch(new Request(input, init)),
    async close() {
      await server.close(1000);
      await stores.close();
      await blobs.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
