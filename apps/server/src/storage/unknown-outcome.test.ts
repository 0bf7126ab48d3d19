import { createSimulator } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import type { ProjectStores, Stores } from '@modelwire/ports';
import { openMemoryStores } from '@modelwire/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { key } from '../testing/test-server.ts';

const ask = { model: 'simulator', messages: [{ role: 'user', content: 'Hello!' }], store: true };

/** Completions are stored, but the response to the first append never arrives: its connection breaks after the commit. */
function breakingAfterCommit(stores: Stores): Stores {
  let breaks = true;
  const project = (id: string): ProjectStores => {
    const real = stores.project(id);
    const { completions } = real;
    async function append(...init: Parameters<typeof completions.append>): Promise<void> {
      await completions.append(...init);
      if (!breaks) return;
      breaks = false;
      throw Object.assign(new Error('broken'), { outage: { dependency: 'postgres', cause: 'connection reset' } });
    }
    return { ...real, completions: { ...completions, append } };
  };
  return { ...stores, project };
}

function startTestServer() {
  const stores = openMemoryStores();
  const server = createServer({ engines: [createSimulator()], keys: [key], stores: breakingAfterCommit(stores) });
  onTestFinished(async () => {
    await server.close(0);
    await stores.close();
  });
  const authorization = `Bearer ${key}`;
  return {
    async create(headers: Record<string, string> = {}): Promise<readonly [number, unknown, string | null]> {
      const response = await server.fetch(
        new Request('http://localhost/v1/chat/completions', {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(ask),
        }),
      );
      const body = (await response.json()) as { readonly error?: { readonly code: string } };
      return [response.status, body.error?.code, response.headers.get('x-should-retry')];
    },
    async stored(): Promise<number> {
      const response = await server.fetch(
        new Request('http://localhost/v1/chat/completions', { headers: { authorization } }),
      );
      return ((await response.json()) as { readonly data: readonly unknown[] }).data.length;
    },
  };
}

test('a creation with unknown outcome keeps its idempotency key in use: a retry creates nothing', async () => {
  const { create, stored } = startTestServer();
  const headers = { 'idempotency-key': 'only-once' };
  expect(await create(headers)).toEqual([503, 'storage_unavailable', null]);
  expect(await create(headers)).toEqual([409, 'idempotency_key_in_use', null]);
  expect(await stored()).toBe(1);
});

test('a creation with unknown outcome and without an idempotency key returns x-should-retry: false', async () => {
  const { create, stored } = startTestServer();
  expect(await create()).toEqual([503, 'storage_unavailable', 'false']);
  expect(await stored()).toBe(1);
});
