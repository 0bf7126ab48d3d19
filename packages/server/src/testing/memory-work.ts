import { createHash } from 'node:crypto';
import type { Batch } from '@modelwire/schema/types';
import type { Blobs, FileRecord, Stores } from '@modelwire/ports';
import { BlobMissingError } from '@modelwire/ports';
import { openMemory, storesOver } from '@modelwire/store-sqlite/testing';

/** A job as it is stored. A test changes it as another server would. */
interface StoredJob {
  readonly due: number;
  /** Empty while nobody holds it. */
  readonly token: string;
  readonly notes: string | null;
}

interface StoredBatch {
  readonly batch: Batch;
  /** The lines with a result. */
  readonly results: ReadonlySet<number>;
}

export interface MemoryWork {
  readonly stores: Stores;
  readonly blobs: Blobs;
  readonly jobs: {
    count(): number;
    get(id: string): StoredJob | undefined;
    update(id: string, changes: Partial<StoredJob>): void;
    /** As if the lease of each job that a worker holds had expired. */
    expireLeases(): void;
  };
  readonly batches: {
    count(): number;
    get(id: string): StoredBatch | undefined;
    update(id: string, changes: Partial<Batch>): void;
  };
  readonly bytes: Map<string, Buffer>;
  /** Contents without a record, and when they may be deleted. */
  readonly reserved: Pick<Map<string, number>, 'size' | 'get' | 'keys' | 'values'> & {
    set(key: string, due: number): void;
  };
  readonly files: {
    count(): number;
    update(id: string, changes: Partial<FileRecord['file']>): void;
    /** Without its contents. */
    delete(id: string): void;
  };
  /** Stores a file of the purpose `batch` and returns its ID. */
  input(lines: readonly unknown[] | string, file?: Partial<FileRecord['file']>): string;
  /** The lines of a file. */
  linesOf(file: string | null | undefined): unknown[];
}

/** Stores in SQLite in memory, of one project, and contents in a map, for tests of the server that look into them. */
export function memoryWork(): MemoryWork {
  const db = openMemory();
  const sqlite = storesOver(db, () => {});
  const project = sqlite.project('p');
  const stores: Stores = { ...sqlite, project: () => project };
  const bytes = new Map<string, Buffer>();
  let fileCount = 0;
  const reserved = () => {
    const rows = db.prepare('select blob_key, due_at_ms from blob_ledger order by due_at_ms, blob_key').all();
    return new Map(rows.map((row) => [String(row['blob_key']), Number(row['due_at_ms'])]));
  };
  function change(sql: string, ...values: (string | number | null)[]): void {
    if (db.prepare(sql).run(...values).changes !== 1) throw new Error(`no record ${values.at(-1)}`);
  }
  const count = (rows: string): number => Number(db.prepare(`select count(*) as count from ${rows}`).get()?.['count']);
  return {
    stores,
    blobs: memoryBlobs(bytes),
    bytes,
    jobs: {
      count: () => count(`jobs where status = 'open'`),
      get(id) {
        const row = db.prepare('select due_at_ms, lease_token, notes from jobs where id = ?').get(id);
        if (!row) return undefined;
        const { due_at_ms: due, lease_token: token, notes } = row;
        return { due: Number(due), token: String(token ?? ''), notes: typeof notes === 'string' ? notes : null };
      },
      update: (id, { due, token, notes }) =>
        change(
          `update jobs set due_at_ms = coalesce(?, due_at_ms), lease_token = nullif(coalesce(?, lease_token), ''),
             notes = coalesce(?, notes) where id = ?`,
          due ?? null,
          token ?? null,
          notes ?? null,
          id,
        ),
      expireLeases: () => db.exec('update jobs set due_at_ms = 0 where lease_token is not null'),
    },
    batches: {
      count: () => count('batches'),
      get(id) {
        const row = db.prepare('select body from batches where id = ?').get(id);
        if (!row) return undefined;
        const lines = db.prepare('select line from batch_results where batch_id = ?').all(id);
        return {
          // What the store wrote.
          batch: JSON.parse(String(row['body'])) as Batch,
          results: new Set(lines.map(({ line }) => Number(line))),
        };
      },
      update: (id, changes) =>
        change(
          'update batches set body = json_patch(body, ?), status = coalesce(?, status) where id = ?',
          JSON.stringify(changes),
          changes.status ?? null,
          id,
        ),
    },
    reserved: {
      get size() {
        return reserved().size;
      },
      get: (key) => reserved().get(key),
      keys: () => reserved().keys(),
      values: () => reserved().values(),
      set: (key, due) => void db.prepare('insert into blob_ledger values (?, ?, 0)').run(key, due),
    },
    files: {
      count: () => count('files'),
      update: (id, changes) =>
        change(`update files set body = json_patch(body, ?) where id = ?`, JSON.stringify(changes), id),
      delete: (id) => change('delete from files where id = ?', id),
    },
    input(lines, file) {
      const text = typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const id = `file-${fileCount++}`;
      const key = `blob_${id}`;
      const content = Buffer.from(text);
      bytes.set(key, content);
      const init = {
        id,
        object: 'file',
        bytes: content.length,
        created_at: 1,
        filename: 'in',
        purpose: 'batch',
      } as const;
      const sha256 = createHash('sha256').update(content).digest('hex');
      const segments = [{ key, bytes: content.length, sha256 }];
      // Both are written before they return.
      void stores.ledger.reserve(key, 60_000);
      void project.files.create({ file: { ...init, ...file }, mediaType: undefined, content: segments });
      return id;
    },
    linesOf(file) {
      const keys = db.prepare('select blob_key from segments where owner_id = ? order by position').all(file ?? '');
      const text = keys.map((row) => new TextDecoder().decode(bytes.get(String(row['blob_key'])))).join('');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line));
    },
  };
}

/** Reads in pieces of a thousand bytes. */
function memoryBlobs(bytes: Map<string, Buffer>): Blobs {
  return {
    async write(key, pieces) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      const whole = Buffer.concat(all);
      bytes.set(key, whole);
      return whole.length;
    },
    async *read(key, range) {
      const whole = bytes.get(key);
      if (!whole) throw new BlobMissingError(key);
      const part = range ? whole.subarray(range.start, range.end) : whole;
      for (let at = 0; at < part.length; at += 1000)
        yield await Promise.resolve(Uint8Array.from(part.subarray(at, at + 1000)));
    },
    async remove(keys) {
      for (const key of keys) bytes.delete(key);
    },
    check: async () => undefined,
    close: async () => undefined,
  };
}
