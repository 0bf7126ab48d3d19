// The server kit with the simulator, stores and a real port. For the tests of this package; it is not published.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createSimulator, createSimulatorEmbedding } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { createTransport } from '../src/index.ts';
import type { Transport } from '../src/index.ts';

export interface TestServer {
  readonly baseURL: string;
  readonly transport: Transport;
  close(): Promise<void>;
}

const apiKey = 'test-key-1234567890';

/** `tokensPerSecond`: the speed of the simulator. Default: unlimited. */
export async function startTestServer(tokensPerSecond?: number): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-responses-'));
  const stores = await openSqliteStores({ path: join(folder, 'modelwire.sqlite') });
  const server = createServer({
    engines: [createSimulator(tokensPerSecond === undefined ? {} : { tokensPerSecond })],
    embeddingEngines: [createSimulatorEmbedding()],
    keys: [apiKey],
    stores,
    jobTimes: { pollMs: 50 },
  });
  const http = createAdaptorServer({ fetch: (request) => server.fetch(request) });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const baseURL = `http://127.0.0.1:${address.port}/v1`;
  return {
    baseURL,
    transport: createTransport({ baseURL, apiKey, maxRetries: 0 }),
    async close() {
      await server.close(100);
      if ('closeAllConnections' in http) http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await stores.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
