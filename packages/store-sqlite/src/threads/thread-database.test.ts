import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '@modelwire/store-sql/migrations';
import { completionRecord } from '@modelwire/ports/testing';
import { openSqliteStores } from '../sqlite-stores.ts';
import { databasePath } from '../testing/folder.ts';

/** In a write-ahead log, a frame that ends a transaction has the resulting size of the database. */
async function commitsIn(log: string): Promise<number> {
  const bytes = await readFile(log);
  if (bytes.length === 0) return 0;
  const frame = 24 + bytes.readUInt32BE(8);
  const salt = bytes.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frame <= bytes.length; at += frame) {
    // Frames of an earlier cycle of the log may follow the last one.
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    if (bytes.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}

test('writes of one event-loop turn share a commit; those that arrive during the commit share the next', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  const { completions } = stores.project('p');
  const before = await commitsIn(`${path}-wal`);
  await Promise.all(Array.from({ length: 50 }, () => completions.append(completionRecord())));
  expect((await commitsIn(`${path}-wal`)) - before).toBe(1);

  const rounds = Array.from({ length: 16 }, async () => {
    for (let round = 0; round < 10; round++) await completions.append(completionRecord());
  });
  await Promise.all(rounds);
  expect((await commitsIn(`${path}-wal`)) - before).toBe(11);
  await stores.close();
});

test('no thread is left after close, also where one was being started', async () => {
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const stores = await openSqliteStores({ path: await databasePath() });
  // Several scans ask for several threads; the first one that is open may have answered all of them.
  await Promise.all(Array.from({ length: 4 }, () => stores.project('p').completions.list({ limit: 1, order: 'asc' })));
  await stores.close();
  expect(threads.length).toBeGreaterThan(2);
  expect(threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
});

test('operations that arrive during a commit wait for the next, together', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  const { completions } = stores.project('p');
  await completions.append(completionRecord());
  const before = await commitsIn(`${path}-wal`);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const appends = [];
  for (let turn = 0; turn < 6; turn++) {
    appends.push(completions.append(completionRecord()));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  other.exec('commit');
  other.close();
  await Promise.all(appends);
  expect((await commitsIn(`${path}-wal`)) - before).toBe(2);
  expect((await completions.list({ limit: 9, order: 'asc' }))?.items).toHaveLength(7);
  await stores.close();
});

test('closing waits for pending reads and writes, and rejects later ones', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  const { completions } = stores.project('p');
  const { completion, messages } = completionRecord();
  await completions.append({ completion, messages });
  const reads = Array.from({ length: 5 }, () => completions.get(completion.id));
  const append = completions.append(completionRecord());
  const closed = stores.close();
  await expect(completions.get(completion.id)).rejects.toMatchObject({ code: 'CLOSED' });
  expect(await Promise.all(reads)).toEqual(reads.map(() => completion));
  await Promise.all([append, closed, stores.close()]);
});

test('reads continue while a write waits for the disk', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  const { completions } = stores.project('p');
  const { completion, messages } = completionRecord({ metadata: { a: '1' } });
  await completions.append({ completion, messages });
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  let written = false;
  const write = completions.append(completionRecord()).then(() => (written = true));
  expect(await completions.get(completion.id)).toEqual(completion);
  expect((await completions.list({ limit: 5, order: 'asc', metadata: { a: '1' } }))?.items).toEqual([completion]);
  expect(written).toBe(false);
  other.exec('commit');
  other.close();
  await write;
  expect((await completions.list({ limit: 5, order: 'asc' }))?.items).toHaveLength(2);
  await stores.close();
});

test('rejects and rolls back a write that waits too long for another process', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path, busyTimeoutMs: 1 });
  const { completions } = stores.project('p');
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const error: unknown = await completions.append(completionRecord()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code: 'SQLITE_BUSY', conflict: false });
  other.exec('rollback');
  other.close();
  expect((await completions.list({ limit: 5, order: 'asc' }))?.items).toEqual([]);
  await completions.append(completionRecord());
  await stores.close();
});

test('reports a unique violation as such, without the value', async () => {
  const stores = await openSqliteStores({ path: await databasePath() });
  const record = completionRecord({ id: 'chatcmpl-secret' });
  await stores.project('p').completions.append(record);
  const error: unknown = await stores
    .project('p')
    .completions.append(record)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'StoreError', code: 'SQLITE_CONSTRAINT', conflict: true });
  expect(String(error)).not.toContain('secret');
  await stores.close();
});

test('several processes write to one file, and each sees the writes of the others', async () => {
  const path = await databasePath();
  const stores = await Promise.all([openSqliteStores({ path }), openSqliteStores({ path })]);
  await Promise.all(
    stores.flatMap((one) => Array.from({ length: 20 }, () => one.project('p').completions.append(completionRecord()))),
  );
  for (const one of stores) {
    expect((await one.project('p').completions.list({ limit: 50, order: 'asc' }))?.items).toHaveLength(40);
  }
  await Promise.all(stores.map((one) => one.close()));
});

test('only this user can access the file', async () => {
  const path = `${await databasePath()}.folder/store.db`;
  const stores = await openSqliteStores({ path });
  const modes = await Promise.all(
    [path, `${path}-wal`, dirname(path)].map(async (one) => (await stat(one)).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o600, 0o700]);
  await stores.close();
});

test('an idle store does not keep the process alive, and completes pending operations', async () => {
  const path = await databasePath();
  const script = `
    const { openSqliteStores } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const stores = await openSqliteStores({ path: ${JSON.stringify(path)} });
    void stores.keys.addProject({ id: 'p', name: 'P', created: 1, archived: null, requestsPerMinute: 1, tokensPerMinute: null, allowedModels: null, maxOutputTokens: null, storageLimitBytes: null });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const db = new DatabaseSync(path);
  expect(db.prepare('select id from projects').all()).toEqual([{ id: 'p' }]);
  db.close();
});

test('rejects a file that is not a database', async () => {
  const path = await databasePath();
  await writeFile(path, 'not a database, but long enough to look like one'.repeat(100));
  await expect(openSqliteStores({ path })).rejects.toMatchObject({ name: 'StoreError', code: 'SQLITE_NOTADB' });
});

test('rejects invalid options by name', async () => {
  for (const path of ['', ':memory:', 'file:a.db']) await expect(openSqliteStores({ path })).rejects.toThrow('path');
  for (const busyTimeoutMs of [-1, 0.5, Number.NaN]) {
    await expect(openSqliteStores({ path: 'a.db', busyTimeoutMs })).rejects.toThrow('busyTimeoutMs');
  }
});
