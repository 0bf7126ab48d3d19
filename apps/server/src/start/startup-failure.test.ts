import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { clientOf, key } from '../testing/test-server.ts';
import type { Config } from '../config/schema.ts';
import type { Settings } from '../config/settings.ts';
import { start } from './start.ts';
import { openStores } from '../storage/stores.ts';

test('a server that cannot listen closes its storage and releases claimed batches', async () => {
  const silent = createServer(() => undefined);
  const host = await listenForTest(silent);
  // An upstream that never responds: a batch line would run until it is aborted.
  const config: Config = {
    simulator: false,
    moderation: false,
    videos: false,
    upstreams: [{ baseURL: `http://${host}/v1`, name: 'silent' }],
    models: { silent: {} },
  };
  const data = mkdtempSync(join(tmpdir(), 'modelwire-test-'));
  const port = Number(new URL(`http://${host}`).port);
  const common = { host: '127.0.0.1', port, data, drainMs: 100, logLevel: 'silent', configPath: undefined } as const;
  const first = await start({ ...config, apiKeys: [key], ...common, port: 0, worker: false });
  const { id } = await createBatch(clientOf(first.url), [inputLine('a', { model: 'silent' })]);
  await first.stop();
  const settings: Settings = { ...config, apiKeys: [key], ...common };
  await expect(start(settings)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);

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

test('a database that cannot be reached is named with its host, without the password', async () => {
  const settings: Settings = {
    ...{ host: '127.0.0.1', port: 0, data: '.', drainMs: 100, logLevel: 'silent', configPath: undefined },
    database: 'postgres://user:a-secret@127.0.0.1:1/records',
  };
  await expect(start(settings)).rejects.toThrow('database 127.0.0.1:1: PostgreSQL cannot be reached: ECONNREFUSED');
});
