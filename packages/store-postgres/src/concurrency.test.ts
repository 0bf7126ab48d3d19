import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stores } from '@modelwire/ports';
import { batchRecord, fileRecord, partRecord, uploadRecord } from '@modelwire/ports/testing';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

// A lock of the test blocks one call midway while another runs: this produces each race deterministically.

const schema = freshSchema();
const client = new pg.Client(url);
const watching = new pg.Client(url);
let stores: Stores;

beforeAll(async () => {
  stores = await openPostgresStores({ url, schema });
  await Promise.all([client.connect(), watching.connect()]);
  await client.query(`set search_path to ${schema}`);
});
afterAll(() => Promise.all([stores.close(), client.end(), watching.end()]));

/** Resolves when this many sessions wait for a lock. */
async function waiting(count: number): Promise<void> {
  const those = `select from pg_stat_activity where query like '%${schema}%' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await watching.query(those)).rowCount).toBe(count);
}

const now = 1_700_000_000;
const dueAfterMs = 60_000;
const segmentOf = async (key: string) => {
  await stores.ledger.reserve(key, 1_000_000);
  return { key, bytes: 1 };
};

async function startUpload() {
  const { uploads } = stores.project('p');
  const { upload, ...rest } = uploadRecord();
  await uploads.create({ upload, ...rest });
  const part = partRecord(upload.id, await segmentOf(`first of ${upload.id}`));
  const bounds = { now, maxBytes: 9, maxParts: 9 };
  await uploads.addPart(part, bounds);
  const latePart = partRecord(upload.id, await segmentOf(`late of ${upload.id}`));
  const completion = { now, partIds: [part.part.id], file: fileRecord({}, [part.segment]), dueAfterMs };
  return { uploads, id: upload.id, part, latePart, bounds, completion };
}

async function startBatch() {
  const { batches } = stores.project('p');
  const { batch, work } = batchRecord();
  await batches.create({ batch, work });
  const lease = await stores.jobs.claim({ kinds: ['batch'], leaseMs: 0 });
  if (lease?.id !== batch.id) throw new Error('another job was due');
  return { batches, id: batch.id, batch, lease };
}

test('completing an upload waits for a part that is being added, and schedules the deletion of its bytes', async () => {
  const { uploads, id, latePart, bounds, completion } = await startUpload();
  await client.query(`begin; select from blob_ledger where blob_key = '${latePart.segment.key}' for update`);
  const added = uploads.addPart(latePart, bounds);
  await waiting(1);
  const completed = uploads.complete(id, completion);
  await waiting(2);
  await client.query('commit');
  expect(await Promise.all([added, completed])).toEqual(['added', true]);
  expect(await stores.ledger.due({ withinMs: dueAfterMs, limit: 9 })).toEqual([latePart.segment.key]);
  await stores.ledger.forget([latePart.segment.key]);
});

test('cancelling an upload waits for a part that is being added, and schedules the deletion of its bytes', async () => {
  const { uploads, id, part, latePart, bounds } = await startUpload();
  await client.query(`begin; select from blob_ledger where blob_key = '${latePart.segment.key}' for update`);
  const added = uploads.addPart(latePart, bounds);
  await waiting(1);
  const cancelled = uploads.cancel(id, { now, dueAfterMs });
  await waiting(2);
  await client.query('commit');
  expect(await Promise.all([added, cancelled])).toEqual(['added', true]);
  const keys = [part.segment.key, latePart.segment.key];
  expect((await stores.ledger.due({ withinMs: dueAfterMs, limit: 9 })).toSorted()).toEqual(keys.toSorted());
  await stores.ledger.forget(keys);
});

test('adding a part waits while its upload is completed, and is rejected', async () => {
  const { uploads, id, latePart, bounds, completion } = await startUpload();
  // Locks the ID of the file while the call runs.
  await client.query(`begin; insert into files (id, project_id, created_at, purpose, body)
    values ('${completion.file.file.id}', 'p', 0, '', '')`);
  const completed = uploads.complete(id, completion);
  await waiting(1);
  const added = uploads.addPart(latePart, bounds);
  const again = uploads.complete(id, { ...completion, file: fileRecord({}, completion.file.content) });
  await waiting(3);
  await client.query('rollback');
  expect(await Promise.all([completed, added, again])).toEqual([true, 'completed', false]);
  await stores.project('p').files.create(fileRecord({}, [latePart.segment]));
});

test('a job whose holder is writing is not taken over before the write ends, even after its lease expired', async () => {
  const { batches, id, lease } = await startBatch();
  await client.query(`begin; select from batches where id = '${id}' for update`);
  const added = batches.addResults(id, lease, [{ line: 0, failed: false, text: '' }]);
  await waiting(1);
  const claim = () => stores.jobs.claim({ kinds: ['batch'], leaseMs: 60_000 });
  expect(await claim()).toBeUndefined();
  await client.query('commit');
  expect(await added).toBe('in_progress');
  const taken = await claim();
  expect(taken).toMatchObject({ id, attempt: 2 });
  expect(await batches.addResults(id, lease, [{ line: 1, failed: false, text: '' }])).toBeUndefined();
});

test('ending a batch waits while it is cancelled, and does not end it', async () => {
  const { batches, id, batch, lease } = await startBatch();
  const files = [fileRecord({}, [await segmentOf(`of ${id}`)])];
  // A concurrent change in progress.
  await client.query(`begin; update batches set version = version + 1 where id = '${id}'`);
  const ended = batches.end({ ...batch, status: 'completed' }, { version: 1, lease, files });
  await waiting(1);
  await client.query('commit');
  expect(await ended).toBe(false);
  expect(await batches.end({ ...batch, status: 'cancelled' }, { version: 2, lease, files })).toBe(true);
});

test('cancelling a batch waits while it ends, and does not cancel it', async () => {
  const { batches, id, batch, lease } = await startBatch();
  const segment = await segmentOf(`of ${id}`);
  await client.query(`begin; select from blob_ledger where blob_key = '${segment.key}' for update`);
  const ended = batches.end(
    { ...batch, status: 'completed' },
    { version: 1, lease, files: [fileRecord({}, [segment])] },
  );
  await waiting(1);
  const cancelled = batches.replace({ ...batch, status: 'cancelling' }, { version: 1 });
  await waiting(2);
  await client.query('commit');
  expect(await Promise.all([ended, cancelled])).toEqual([true, false]);
  expect((await batches.get(id))?.batch.status).toBe('completed');
});

test('returning due bytes waits while a record takes them, and does not return them', async () => {
  const { files } = stores.project('p');
  const content = [await segmentOf('taken')];
  const record = fileRecord({}, content);
  await client.query(`begin; insert into files (id, project_id, created_at, purpose, body)
    values ('${record.file.id}', 'p', 0, '', '')`);
  const created = files.create(record);
  await waiting(1);
  const due = stores.ledger.due({ withinMs: 1_000_000, limit: 99 });
  await waiting(2);
  await client.query('rollback');
  await created;
  expect(await due).not.toContain('taken');
});
