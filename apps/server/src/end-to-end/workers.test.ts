import { expect, test, vi } from 'vitest';
import { expectOneServer } from '../testing/one-server-of-workers.ts';
import { startWorkerServer } from '../testing/worker-server.ts';

test('two workers are one server for limits of engines, keys and budgets, for changes of keys, and for metrics', async () => {
  await expectOneServer({});
});

test('SIGTERM while a worker is replaced ends the server cleanly', async () => {
  const server = await startWorkerServer({});
  const second = await vi.waitUntil(() => server.logged('a worker listens').find(({ worker }) => worker === 2), {
    timeout: 200_000,
  });
  process.kill(Number(second.pid), 'SIGKILL');
  await vi.waitFor(() => expect(server.logged('a worker exited')).toHaveLength(1), { timeout: 200_000, interval: 5 });
  server.kill('SIGTERM');
  expect(await server.exited).toEqual([0, null]);
});
