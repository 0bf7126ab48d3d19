import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { SqlDatabase } from '@modelwire/store-sql';
import type { StoreError } from '@modelwire/store-sql/migrations';
import { databasePath } from '../testing/folder.ts';
import { openThreadDatabase } from './thread-database.ts';
import type { ThreadDatabaseOptions } from './thread-database.ts';

const pollOptions = { timeout: 60_000, interval: 20 };

/** A database and its threads in the order they were started: for writes, for lookups, for scans. */
async function opened(
  options: Partial<ThreadDatabaseOptions> = {},
): Promise<{ readonly database: SqlDatabase; readonly workers: Worker[]; readonly path: string }> {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  process.on('worker', note);
  const path = await databasePath();
  const init = { path, busyTimeoutMs: 5000, operationTimeoutMs: 30_000, scanThreads: 2, ...options };
  const database = await openThreadDatabase(init);
  onTestFinished(async () => {
    process.off('worker', note);
    await database.close();
  });
  return { database, workers, path };
}

const addProject = (id: string) => ({
  sql: "insert into projects (id, name, created_at) values (?, '', 0)",
  parameters: [id],
});
const projects = { sql: 'select id from projects order by id', parameters: [] };
/** A query that waits, without work for the processor, until `release` is called: for the lock of another file. */
function waitingQuery(path: string) {
  const lockedPath = `${path}-locked`;
  const locked = new DatabaseSync(lockedPath);
  locked.exec('create table locked (id integer); begin exclusive');
  const release = () => {
    if (locked.isOpen) locked.close();
  };
  onTestFinished(release);
  return { query: { sql: 'attach ? as locked', parameters: [lockedPath] }, release };
}
const outage = (cause: RegExp) => ({
  name: 'StoreError',
  outage: { dependency: 'sqlite', cause: expect.stringMatching(cause) as unknown },
});

test('replaces a thread that dies: its running operation is an outage, waiting ones run', async () => {
  const { database, workers, path } = await opened({ operationTimeoutMs: 280_000, busyTimeoutMs: 240_000 });
  await database.write([addProject('before')]);
  const lookups = workers[1];
  const { query, release } = waitingQuery(path);
  const running = expect(database.read(query)).rejects.toMatchObject(outage(/^thread (stopped|failed)$/));
  // The first was sent by then; this one waits.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const waiting = database.read(projects);
  void lookups?.terminate();
  // A thread exits only when its query returns.
  release();
  await running;
  expect(await waiting).toEqual([{ id: 'before' }]);
  expect(database.hasFailed?.()).toBe(false);
}, 300_000);

test('writes continue after the writing thread has died', async () => {
  const { database, workers } = await opened();
  await database.write([addProject('before')]);
  await workers[0]?.terminate();
  await database.write([addProject('after')]);
  expect(await database.read(projects)).toEqual([{ id: 'after' }, { id: 'before' }]);
}, 300_000);

test('reports failure after five deaths within a minute, and keeps working', async () => {
  const { database, workers } = await opened();
  for (let death = 1; death <= 5; death++) {
    expect(database.hasFailed?.()).toBe(false);
    const started = workers.length;
    await workers.at(death === 1 ? 0 : -1)?.terminate();
    await expect.poll(() => workers.length, pollOptions).toBe(started + 1);
    await database.write([addProject(`after death ${death}`)]);
  }
  expect(database.hasFailed?.()).toBe(true);
  expect(await database.read(projects)).toHaveLength(5);
});

test('reports failure while a dead thread cannot be restarted', async () => {
  const { database, workers, path } = await opened();
  const folder = dirname(path);
  await rename(folder, `${folder}-away`);
  await workers[1]?.terminate();
  await expect.poll(() => database.hasFailed?.(), pollOptions).toBe(true);
  await rename(`${folder}-away`, folder);
  await expect.poll(() => database.hasFailed?.(), pollOptions).toBe(false);
  expect(await database.read(projects)).toEqual([]);
}, 300_000);

test('runs lookups and other scans during a slow scan', async () => {
  const { database, path } = await opened({ operationTimeoutMs: 240_000, busyTimeoutMs: 240_000 });
  const { query, release } = waitingQuery(path);
  // Ends after the others or not at all.
  const ended: string[] = [];
  const slow = database.scan(query).then(() => ended.push('slow'));
  const others = [...Array.from({ length: 20 }, () => database.read(projects)), database.scan(projects)];
  expect(await Promise.all(others)).toEqual(others.map(() => []));
  expect(ended).toEqual([]);
  release();
  await slow;
}, 300_000);

test('aborts a scan after operationTimeoutMs, and runs the next in another thread', async () => {
  const { database, path } = await opened({ operationTimeoutMs: 8000, busyTimeoutMs: 240_000, scanThreads: 1 });
  const { query, release } = waitingQuery(path);
  const slow = database.scan(query);
  // Waits for the only thread and is not slow itself.
  const waiting = database.scan(projects);
  const failed = (await Promise.allSettled([slow, waiting])) as PromiseRejectedResult[];
  expect(failed.map(({ reason }: { readonly reason: StoreError }) => reason.outage)).toEqual([
    { dependency: 'sqlite', cause: 'timeout', isSlowQuery: true },
    { dependency: 'sqlite', cause: 'timeout: all threads are busy' },
  ]);
  expect(await database.scan(projects)).toEqual([]);
  expect(database.hasFailed?.()).toBe(false);
  release();
}, 300_000);
