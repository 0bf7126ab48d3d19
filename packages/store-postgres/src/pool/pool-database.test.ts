import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Stores } from '@modelwire/ports';
import { completionRecord } from '@modelwire/ports/testing';
import { openPostgresStores } from '../postgres-stores.ts';
import { startPostgres } from '../testing/postgres-server.ts';
import { freshSchema, url } from '../testing/schema.ts';
import { usageOf } from '../testing/usage.ts';

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
const count = async (stores: Stores) =>
  (await stores.project('p').completions.list({ limit: 1000, order: 'asc' }))?.items.length;

test('reconnects to a server that was restarted; acknowledged writes exist', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.discard());
  const stores = await openPostgresStores({ url: server.url, poolSize: 4 });
  const { completions } = stores.project('p');
  await Promise.all(Array.from({ length: 20 }, () => completions.append(completionRecord())));
  await server.stop();
  await expect(completions.append(completionRecord())).rejects.toMatchObject({ name: 'StoreError' });
  await expect(stores.check()).rejects.toMatchObject({ name: 'StoreError' });
  await server.start();
  expect(await count(stores)).toBe(20);
  await completions.append(completionRecord());
  expect(await count(stores)).toBe(21);
  await stores.close();
});

test('retries a read whose connection was closed; a write is not retried, and is complete or missing', async () => {
  const schema = freshSchema();
  const stores = await openPostgresStores({ url, schema, poolSize: 1 });
  const { completions } = stores.project('p');
  const { completion, messages } = completionRecord();
  await completions.append({ completion, messages });
  const [client, locking] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([client.connect(), locking.connect()]);
  // A lock that a failed test left behind would block others.
  onTestFinished(() => Promise.all([client.end(), locking.end()]).then(() => undefined));
  // A write that waits for a lock and loses its connection meanwhile.
  await locking.query(`begin; lock table ${schema}.completions in exclusive mode`);
  const append = caught(completions.append(completionRecord()));
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where query like '%${schema}%' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await client.query(cut)).rowCount).toBe(1);
  expect(await append).toMatchObject({
    name: 'StoreError',
    code: expect.stringMatching(/57P01|CONNECTION|EPIPE/) as unknown,
  });
  await locking.query('commit');
  expect(await count(stores)).toBe(1);

  // An idle connection that is closed unnoticed by the pool.
  const backends = `select pid from pg_stat_activity where query like '%${schema}%' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await client.query(backends)).rowCount).toBe(1);
  const reads = [completions.get(completion.id), client.query(backends.replace('pid', 'pg_terminate_backend(pid)'))];
  expect((await Promise.all(reads))[0]).toEqual(completion);
  expect(await completions.get(completion.id)).toEqual(completion);
  await stores.close();
});

test('a unit that failed leaves its connection usable', async () => {
  const stores = await openPostgresStores({ url, schema: freshSchema(), poolSize: 1 });
  const { completions } = stores.project('p');
  const record = completionRecord({ id: 'chatcmpl-secret', metadata: { a: '1' } });
  await completions.append(record);
  for (let time = 0; time < 3; time++) {
    const error = await caught(completions.append(record));
    expect(error).toMatchObject({ name: 'StoreError', code: '23505', conflict: true });
    expect(inspect(error)).not.toContain('secret');
    await completions.append(completionRecord({ metadata: { a: '1' } }));
  }
  expect((await completions.list({ limit: 9, order: 'asc', metadata: { a: '1' } }))?.items).toHaveLength(4);
  await stores.close();
});

test('aborts and rolls back a statement that exceeds the timeout', async () => {
  const schema = freshSchema();
  const stores = await openPostgresStores({ url, schema, poolSize: 1, operationTimeoutMs: 3_000 });
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`begin; lock table ${schema}.completions in exclusive mode`);
  const error = await caught(stores.project('p').completions.append(completionRecord()));
  expect(error).toMatchObject({ name: 'StoreError', code: expect.stringMatching(/57014|TIMEOUT/) as unknown });
  await client.query('commit');
  await client.end();
  expect(await count(stores)).toBe(0);
  await stores.project('p').completions.append(completionRecord());
  await stores.close();
});

test('repeats a write that PostgreSQL rolled back because of a deadlock', async () => {
  const schema = freshSchema();
  // A session checks for a deadlock once, after waiting this long. Here it is the store, because the other session starts to
  // wait within that time.
  const urlWithTimeout = new URL(url);
  urlWithTimeout.searchParams.set('options', '-c deadlock_timeout=4s');
  const options = { url: urlWithTimeout.href, schema, poolSize: 1, operationTimeoutMs: 120_000 };
  const stores = await openPostgresStores(options);
  const both = ['a', 'b'].map(usageOf);
  await stores.usage.add(both);
  const [other, watching] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([other.connect(), watching.connect()]);
  await other.query(`set deadlock_timeout = '60s'; begin; update ${schema}.usage set requests = 10 where model = 'b'`);
  // Holds the first lock and waits for the second.
  const add = stores.usage.add(both);
  const waiting = `select from pg_stat_activity where query like '%${schema}%' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await watching.query(waiting)).rowCount).toBe(1);
  // PostgreSQL rolled back the session that waited first.
  await other.query(`update ${schema}.usage set requests = 10 where model = 'a'; commit`);
  await add;
  expect((await stores.usage.read({ from: 0, to: 1 })).map(({ requests }) => requests)).toEqual([11, 11]);
  await Promise.all([other.end(), watching.end(), stores.close()]);
});

test('queues callers when all connections are in use', async () => {
  const stores = await openPostgresStores({ url, schema: freshSchema(), poolSize: 2, connectTimeoutMs: 50_000 });
  await Promise.all(Array.from({ length: 60 }, () => stores.project('p').completions.append(completionRecord())));
  expect(await count(stores)).toBe(60);
  const last = Array.from({ length: 20 }, () => stores.project('p').completions.get('chatcmpl-none'));
  await Promise.all([stores.close(), ...last]);
});

test('no error contains the URL, its password or parameters', async () => {
  const schema = freshSchema();
  const wrong = (change: (url: URL) => void) => {
    const changed = new URL(url);
    change(changed);
    return changed.href;
  };
  const urls = [
    wrong((one) => (one.password = 'hunter2')),
    wrong((one) => (one.pathname = '/hunter2')),
    wrong((one) => {
      one.port = '1';
      one.password = 'hunter2';
    }),
    wrong((one) => {
      one.hostname = 'hunter2.invalid';
    }),
    'postgres://user:hunter2@[/x',
    'mysql://user:hunter2@host/x',
    'hunter2',
    'postgres://user:hunter2@127.0.0.1:1/x?sslrootcert=/no/such/hunter2',
  ];
  for (const one of urls) {
    const error = await caught(openPostgresStores({ url: one, schema, connectTimeoutMs: 2000 }));
    expect(error).toBeInstanceOf(Error);
    if (!one.endsWith('/hunter2')) expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/postgres:\/\/\S*@|a-secret-of-the-tests/);
  }
});

test('an idle store does not keep the process alive', async () => {
  const script = `
    const { openPostgresStores } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const stores = await openPostgresStores({ url: process.env.URL, schema: ${JSON.stringify(freshSchema())} });
    await stores.check();
    console.log('done');`;
  const env = { ...process.env, URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
  expect(stdout).toBe('done\n');
});

test('rejects invalid options by name', async () => {
  for (const schema of ['', 'A', '1a', 'a b', 'a;drop', 'pg_x', 'a'.repeat(64)]) {
    await expect(openPostgresStores({ url, schema })).rejects.toThrow('schema');
  }
  for (const hosts of ['a,b', 'a:5432,b:5432', 'user:with,comma@a,b'])
    await expect(openPostgresStores({ url: `postgres://${hosts}/db` })).rejects.toThrow('url must have one host');
  await expect(openPostgresStores({ url: 'postgres://user:with,comma@127.0.0.1:1/db' })).rejects.toThrow(
    'ECONNREFUSED',
  );
  await expect(openPostgresStores({ url, poolSize: 0 })).rejects.toThrow('poolSize');
  await expect(openPostgresStores({ url, operationTimeoutMs: 0.5 })).rejects.toThrow('operationTimeoutMs');
  await expect(openPostgresStores({ url, connectTimeoutMs: -1 })).rejects.toThrow('connectTimeoutMs');
  const rateLimits = { requestsPerMinute: 0 };
  await expect(openPostgresStores({ url, rateLimits })).rejects.toThrow('rateLimits.requestsPerMinute');
});
