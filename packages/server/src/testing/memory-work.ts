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
  readonly bytes: Map<string, Uint8Array>;
  /** When the contents without a record may be deleted. */
  dueTimes(): readonly number[];
  /** Stores a file of the purpose `batch` and returns its ID. */
  input(lines: readonly unknown[] | string, file?: Partial<FileRecord['file']>): string;
  /** Deletes a file without its contents. */
  deleteFile(id: string): void;
  /** The lines of a file. */
  linesOf(file: string | null | undefined): unknown[];
}

/** Stores in SQLite in memory, of one project, and contents in a map, for tests of the server that look into them. */
export function memoryWork(): MemoryWork {
  const db = openMemory();
  const sqlite = storesOver(db, () => {});
  const project = sqlite.project('p');
  const stores: Stores = { ...sqlite, project: () => project };
  const bytes = new Map<string, Uint8Array>();
  let fileCount = 0;
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
      update(id, { due, token, notes }) {
        const set = db.prepare(
          `update jobs set due_at_ms = coalesce(?, due_at_ms), lease_token = nullif(coalesce(?, lease_token), ''),
             notes = coalesce(?, notes) where id = ?`,
        );
        if (set.run(due ?? null, token ?? null, notes ?? null, id).changes !== 1) throw new Error(`no job ${id}`);
      },
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
      update(id, changes) {
        const set = db.prepare(
          `update batches set body = json_patch(body, ?), status = coalesce(?, status) where id = ?`,
        );
        if (set.run(JSON.stringify(changes), changes.status ?? null, id).changes !== 1)
          throw new Error(`no batch ${id}`);
      },
    },
    dueTimes: () =>
      db
        .prepare('select due_at_ms from blob_ledger')
        .all()
        .map((row) => Number(row['due_at_ms'])),
    input(lines, file) {
      const text = typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const id = `file-${fileCount++}`;
      const key = `blob_${id}`;
      const content = new TextEncoder().encode(text);
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
    deleteFile: (id) => void db.prepare('delete from files where id = ?').run(id),
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
function memoryBlobs(bytes: Map<string, Uint8Array>): Blobs {
  return {
    async write(key, pieces) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      const whole = new Uint8Array(Buffer.concat(all));
      bytes.set(key, whole);
      return whole.length;
    },
    async *read(key, range) {
      const whole = bytes.get(key);
      if (!whole) throw new BlobMissingError(key);
      const part = range ? whole.subarray(range.start, range.end) : whole;
      for (let at = 0; at < part.length; at += 1000) yield await Promise.resolve(part.slice(at, at + 1000));
    },
    async remove(keys) {
      for (const key of keys) bytes.delete(key);
    },
    check: async () => undefined,
    close: async () => undefined,
  };
}
