import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Stores } from '@modelwire/ports';
import { completionRecord, unreliableProxy } from '@modelwire/ports/testing';
import { openPostgresStores } from '../postgres-stores.ts';
import { startPostgres, startStandby } from '../testing/postgres-server.ts';
import type { PostgresServer } from '../testing/postgres-server.ts';
import { freshSchema, url } from '../testing/schema.ts';

const outage = (cause: RegExp) => ({
  name: 'StoreError',
  outage: { dependency: 'postgres', cause: expect.stringMatching(cause) as unknown },
});

async function opened(options: Parameters<typeof openPostgresStores>[0]): Promise<Stores> {
  const stores = await openPostgresStores(options);
  onTestFinished(() => stores.close());
  return stores;
}

test('rejects reads and writes with an outage that names postgres and the cause while the server is down', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.discard());
  const stores = await opened({ url: server.url, poolSize: 2 });
  const { completions } = stores.project('p');
  await completions.append(completionRecord());
  await server.stop();
  // The first operation finds its connection closed.
  await completions.get('chatcmpl-none').catch(() => undefined);
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject(outage(/^connection refused \(ECONNREFUSED\)$/));
  await expect(completions.append(completionRecord())).rejects.toMatchObject(outage(/^connection refused/));
  await expect(stores.check()).rejects.toMatchObject(outage(/^connection refused/));
  await expect(stores.rateLimiter?.consume([{ id: 'key:k', requestsPerMinute: 1 }])).rejects.toMatchObject(
    outage(/^connection refused/),
  );
});

test('reports every failure of a restart under load as an outage, loses nothing acknowledged, and reconnects', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.discard());
  const stores = await opened({ url: server.url, poolSize: 4 });
  const { completions } = stores.project('p');
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  let stopped = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const record = completionRecord();
      try {
        await completions.append(record);
        acknowledged.push(record.completion.id);
      } catch (error) {
        failures.push(error);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  for (let restart = 0; restart < 2; restart++) {
    const [kept, failed] = [acknowledged.length, failures.length];
    await server.stop();
    await expect.poll(() => failures.length).toBeGreaterThan(failed);
    await server.start();
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(kept + 20);
  }
  stopped = true;
  await Promise.all(load);
  for (const error of failures) expect(error).toMatchObject(outage(/\w/));
  const found = await Promise.all(acknowledged.map((id) => completions.get(id)));
  expect(found.filter((one) => one === undefined)).toEqual([]);
});

test('refuses a standby, also for reads, and uses the primary as soon as its address leads there', async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.discard());
  const standby = await startStandby(primary, { isSynchronous: false });
  onTestFinished(() => standby.discard());
  const address = await unreliableProxy(primary.url);
  onTestFinished(address.stop);
  const stores = await opened({ url: address.url });
  const { completions } = stores.project('p');
  const moveTo = async ({ url: target }: PostgresServer) => {
    await address.stop();
    address.retarget(target);
    await address.start();
  };
  await moveTo(standby);
  // The first operation finds its connection closed.
  await completions.append(completionRecord()).catch(() => undefined);
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject(outage(/^server is a standby$/));
  await expect(completions.append(completionRecord())).rejects.toMatchObject(outage(/^server is a standby$/));
  await moveTo(primary);
  await completions.append(completionRecord());
});

test('closes a connection whose preparation has failed, whatever the reason', async () => {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const [schema, before] = [freshSchema(), freshSchema()];
  await client.query(`create schema ${before}`);
  const named = new URL(url);
  named.searchParams.set('application_name', before);
  named.searchParams.set('options', `-c search_path=${before},pg_catalog`);
  const stores = await opened({ url: named.href, schema, poolSize: 1 });
  const { completions } = stores.project('p');
  // Found before the function of PostgreSQL that a new connection calls.
  await client.query(`create function ${before}.pg_is_in_recovery() returns boolean language plpgsql as
    $$ begin raise exception 'out of memory' using errcode = '53200'; end $$`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [before]);
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject({ code: '53200' });
  await client.query(`drop function ${before}.pg_is_in_recovery()`);
  await completions.get('chatcmpl-none');
});

test('replaces all connections when the server has become read-only, and repeats the write', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.discard());
  const stores = await opened({ url: server.url, poolSize: 3 });
  const { completions } = stores.project('p');
  const client = new pg.Client(server.url);
  await client.connect();
  onTestFinished(() => client.end());
  const connectionCount = async () => {
    const { rows } = await client.query<{ count: string }>(
      "select count(*) from pg_stat_activity where application_name = 'modelwire'",
    );
    return Number(rows[0]?.count);
  };
  const threeReads = () => Promise.all([1, 2, 3].map((n) => completions.get(`chatcmpl-${n}`)));
  await client.query('alter role modelwire set default_transaction_read_only = on');
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
  await threeReads();
  await expect.poll(connectionCount).toBe(3);
  await expect(completions.append(completionRecord())).rejects.toMatchObject(outage(/^server is read-only/));
  await threeReads();
  await client.query('alter role modelwire reset default_transaction_read_only');
  await completions.append(completionRecord());
  await expect.poll(connectionCount).toBe(1);
});

test('ends an operation after operationTimeoutMs when the server accepts bytes and does not respond, and works again when it does', async () => {
  const proxy = await unreliableProxy(url);
  onTestFinished(proxy.stop);
  const schema = freshSchema();
  const stores = await opened({
    url: proxy.url,
    schema,
    poolSize: 2,
    operationTimeoutMs: 2500,
    connectTimeoutMs: 2000,
  });
  const { completions } = stores.project('p');
  await completions.append(completionRecord());
  proxy.freeze();
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject(outage(/^timeout$/));
  await expect(completions.append(completionRecord())).rejects.toMatchObject(outage(/^timeout$/));
  // Also when no connection is left and none can be opened.
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject(outage(/^timeout$/));
  proxy.thaw();
  await expect
    .poll(
      () =>
        completions.append(completionRecord()).then(
          () => 'written',
          () => 'failed',
        ),
      { timeout: 30_000 },
    )
    .toBe('written');
});

test('rejects with an outage when no connection of the pool becomes free in time', async () => {
  const schema = freshSchema();
  const stores = await opened({ url, schema, poolSize: 1, operationTimeoutMs: 20_000, connectTimeoutMs: 3000 });
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`begin; lock table ${schema}.completions in exclusive mode`);
  const { completions } = stores.project('p');
  const blocked = completions.append(completionRecord());
  const waiting = () => client.query('select 1 from pg_locks where not granted');
  await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
  await expect(completions.get('chatcmpl-none')).rejects.toMatchObject(outage(/^timeout$/));
  await client.query('commit');
  await client.end();
  await blocked;
});
