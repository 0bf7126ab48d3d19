import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine } from './testing/batch-input.ts';
import { clientOf, key } from './testing/serve.ts';
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
  const data = mkdtempSync(join(tmpdir(), 'modelwire-test-'));
  const where = { host: '127.0.0.1', port, data, drainMs: 100, logLevel: 'silent', configPath: undefined } as const;
  const first = await start({ ...config, apiKeys: [key], ...where, port: 0, worker: false });
  const { id } = await createBatch(clientOf(first.url), [inputLine('a', { model: 'silent' })]);
  await first.stop();
  const settings: Settings = { ...config, apiKeys: [key], ...where };
  await expect(start(settings)).rejects.toThrow('in use');

  const { jobs, ...stores } = await openStores(settings);
  onTestFinished(async () => {
    await stores.close();
    rmSync(data, { recursive: true });
  });
  await vi.waitFor(async () => expect(await jobs.claim({ kinds: ['batch'], leaseMs: 60_000 })).toMatchObject({ id }), {
    timeout: 60_000,
    interval: 50,
  });
});
