// The complete server in process: real stores, files and port. For the tests of this package; not published.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { createTextModeration } from '@modelwire/engine-moderation';
import { createSimulator, createSimulatorEmbedding } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import type { VideoEngine } from '@modelwire/ports';
import type { WebhookSender } from '@modelwire/server';
import { hashKey, makeKey, storedKeys } from '@modelwire/server/keys';
import { nodeListener } from '@modelwire/server/node';
import { openSqliteStores } from '@modelwire/store-sqlite';

export const apiKey = 'test-key-1234567890';

export interface TestServer {
  readonly baseURL: string;
  /** A key with the role `admin`; {@link apiKey} has the role `full`. */
  readonly adminKey: string;
  close(): Promise<void>;
}

/** Renders videos immediately. */
const videos: VideoEngine = {
  name: 'titles',
  concurrency: 2,
  models: () => [
    {
      id: 'titles',
      created: 1,
      owned_by: 'tests',
      sizes: ['1280x720'],
      seconds: ['4'],
      inputReference: false,
      remix: true,
      extend: true,
      videoInput: true,
    },
  ],
  async render({ prompt, source }, { save }) {
    const text = source === undefined ? prompt : `${prompt} after ${source.prompt}`;
    await save('video', 'video/mp4', new Blob([text]).stream());
  },
};

/** Receivers that never accept an event: deliveries stay pending. */
const failingSender: WebhookSender = { refusal: () => undefined, send: () => Promise.resolve(503) };

export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-client-'));
  const stores = await openSqliteStores({ path: join(folder, 'modelwire.sqlite') });
  const blobs = await openFsBlobs({ path: join(folder, 'blobs') });
  const { key: adminKey, record } = makeKey({ role: 'admin' });
  await stores.keys.add(record);
  await stores.keys.add({ ...makeKey().record, hash: hashKey(apiKey) });
  const server = createServer({
    engines: [createSimulator()],
    embeddingEngines: [createSimulatorEmbedding()],
    moderationEngines: [createTextModeration()],
    videoEngines: [videos],
    keys: storedKeys(stores.keys),
    stores,
    blobs,
    jobTimes: { pollMs: 50 },
    webhooks: { sender: failingSender },
  });
  const http = createHttp(nodeListener(server));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    adminKey,
    async close() {
      await server.close(100);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await stores.close();
      await blobs.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
