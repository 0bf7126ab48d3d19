import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine } from './testing/batch-input.ts';
import { key, serve } from './testing/serve.ts';
import type { Config } from './config/schema.ts';
import type { Settings } from './settings.ts';
import { start } from './start.ts';
import { openStores } from './stores.ts';

test('a server that cannot listen leaves nothing open, and gives back the batches it has taken', async () => {
  const taken = createServer(() => undefined);
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  onTestFinished(() => {
    taken.closeAllConnections();
    taken.close();
  });
  // One that never answers: what was begun goes on until somebody ends it.
  const config: Config = {
    simulator: false,
    moderation: false,
    videos: false,
    upstreams: [{ baseURL: `http://127.0.0.1:${port}/v1`, name: 'silent' }],
    models: { silent: {} },
  };
  const served = await serve({ ...config, worker: false });
  const { id } = await createBatch(served.client, [inputLine('a', { model: 'silent' })]);
  const { data } = served;
  const where = { host: '127.0.0.1', port, data, drainMs: 100, logLevel: 'silent', configPath: undefined } as const;
  const settings: Settings = { ...config, apiKeys: [key], ...where };
  await expect(start(settings)).rejects.toThrow('in use');

  const { jobs, ...stores } = await openStores(settings);
  onTestFinished(async () => {
    await stores.close();
    await served.stop();
  });
  await vi.waitFor(async () => expect(await jobs.claim({ kinds: ['batch'], leaseMs: 60_000 })).toMatchObject({ id }), {
    timeout: 60_000,
    interval: 50,
  });
});
