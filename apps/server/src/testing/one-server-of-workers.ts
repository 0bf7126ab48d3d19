import { expect, vi } from 'vitest';
import { startWorkerServer } from './worker-server.ts';
import type { WorkerServer } from './worker-server.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

interface MadeKey {
  readonly id: string;
  readonly value: string;
}

async function makeKey(server: WorkerServer, limits: object): Promise<MadeKey> {
  const { status, body } = await server.administrate('POST', 'projects/default/api_keys', { name: 'test', ...limits });
  expect(status).toBe(200);
  return body as MadeKey;
}

/** The values of a metric, by their labels. */
async function metric(server: WorkerServer, name: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(name.length, space), Number(line.slice(space + 1))];
    }),
  );
}

async function sum(server: WorkerServer, name: string, label: string): Promise<number> {
  const values = [...(await metric(server, name))].filter(([labels]) => labels.includes(label));
  return values.reduce((total, [, value]) => total + value, 0);
}

/** Expects two workers with this storage to be one server for limits of engines, keys and budgets, for changes of keys, and for metrics. */
export async function expectOneServer(storage: { readonly database?: string }): Promise<void> {
  const server = await startWorkerServer({ ...storage, engineConcurrency: 3, queueTimeoutMs: 600_000 });
  const { upstream } = server;

  // Requests at an engine.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let active = 0;
  let most = 0;
  upstream.onRequest = async () => {
    most = Math.max(most, ++active);
    await released;
    active--;
  };
  const waiting = times(10).map((index) => server.chat(`hold ${index}`));
  await vi.waitFor(
    async () => {
      expect(await sum(server, 'modelwire_engine_active', 'upstream')).toBe(3);
      expect(await sum(server, 'modelwire_engine_queued', 'upstream')).toBe(7);
    },
    { timeout: 200_000, interval: 50 },
  );
  await vi.waitFor(() => expect(active).toBe(3), { timeout: 200_000 });
  release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  expect(most).toBe(3);
  upstream.onRequest = undefined;

  // Metrics.
  const chatRequests = (status: string) =>
    sum(server, 'modelwire_requests_total', `route="/v1/chat/completions",status="${status}"`);
  await vi.waitFor(async () => expect(await chatRequests('200')).toBe(10), { timeout: 200_000, interval: 50 });
  await vi.waitFor(
    () => expect([...new Set(server.logged('request').map(({ worker }) => worker))].sort()).toEqual([1, 2]),
    { timeout: 200_000 },
  );

  // Requests per minute of a key, which can be used in both workers as soon as it is created.
  const limited = await makeKey(server, { requests_per_minute: 2 });
  const startedAt = performance.now();
  const limitedReplies = await Promise.all(times(12).map(() => server.chat('limited', { key: limited.value })));
  const refilled = Math.floor((performance.now() - startedAt) / 30_000);
  const admitted = limitedReplies.filter(({ status }) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(2);
  expect(admitted).toBeLessThanOrEqual(2 + refilled);
  expect(limitedReplies.filter(({ status }) => status === 429)).toHaveLength(12 - admitted);

  // A hard limit of a budget.
  const budgeted = await makeKey(server, {});
  const limits = { api_key_id: budgeted.id, unit: 'tokens', period: 'day', hard_limit: 60 };
  const budget = (await server.administrate('POST', 'budgets', limits)).body as { readonly id: string };
  const budgetReplies = await Promise.all(
    times(40).map(() => server.chat('budget', { key: budgeted.value, max_tokens: 1 })),
  );
  const paid = budgetReplies.filter(({ status }) => status === 200).length;
  expect(paid).toBeGreaterThan(0);
  expect(paid * 3).toBeLessThanOrEqual(60);
  expect(budgetReplies.filter(({ status }) => status === 429)).toHaveLength(40 - paid);
  await vi.waitFor(
    async () =>
      expect((await server.administrate('GET', `budgets/${budget.id}`)).body).toMatchObject({
        spent: paid * 3,
        reserved: 0,
      }),
    { timeout: 200_000, interval: 50 },
  );
  await vi.waitFor(async () => expect(await chatRequests('200')).toBe(10 + admitted + paid), {
    timeout: 200_000,
    interval: 50,
  });

  // A key that is revoked.
  expect((await server.chat('last', { key: budgeted.value, max_tokens: 1 })).status).not.toBe(401);
  await server.administrate('DELETE', `projects/default/api_keys/${budgeted.id}`);
  for (const { status } of await Promise.all(times(4).map(() => server.chat('more', { key: budgeted.value }))))
    expect(status).toBe(401);
}
