import { BlobMissingError } from '@modelwire/ports';
import type { Blobs, BlobLedger, FileRecord, FileStore, Stores, UploadRecord, UploadStore } from '@modelwire/ports';

export interface MemoryBytes {
  readonly stores: Stores;
  readonly blobs: Blobs;
  readonly ledger: BlobLedger;
  readonly bytes: Map<string, Buffer>;
  /** When unreferenced bytes are due. */
  readonly reserved: Map<string, number>;
  readonly files: Map<string, FileRecord>;
}

/** The parts of stores and blobs that files and uploads need, for tests of the server: in memory, for one project. */
export function memoryBytes(): MemoryBytes {
  const bytes = new Map<string, Buffer>();
  const reserved = new Map<string, number>();
  const files = new Map<string, FileRecord>();
  const uploads = new Map<string, UploadRecord>();
  const ledger: BlobLedger = {
    reserve: async (key, ttlMs) => void reserved.set(key, Date.now() + ttlMs),
    async release(key) {
      if (reserved.has(key)) reserved.set(key, Date.now());
    },
    due: async ({ withinMs = 0, limit }) =>
      [...reserved].flatMap(([key, due]) => (due <= Date.now() + withinMs ? [key] : [])).slice(0, limit),
    async postpone(keys, afterMs) {
      for (const key of keys) if (reserved.has(key)) reserved.set(key, Date.now() + afterMs);
    },
    forget: async (keys) => keys.forEach((key) => reserved.delete(key)),
  };
  const blobs: Blobs = {
    async write(key, source) {
      const all = Buffer.concat(await Array.fromAsync(source));
      bytes.set(key, all);
      return all.length;
    },
    async *read(key, range) {
      const all = bytes.get(key);
      if (!all) throw new BlobMissingError(key);
      const { start, end } = range ?? { start: 0, end: all.length };
      for (let at = start; at < end; at += 65_536) yield all.subarray(at, Math.min(end, at + 65_536));
    },
    remove: async (keys) => keys.forEach((key) => bytes.delete(key)),
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const stores = {
    ledger,
    project: () => ({ files: memoryFiles(files, reserved), uploads: memoryUploads(reserved, uploads) }),
    usage: { add: async () => undefined },
    keys: { get: async () => undefined, getProject: async () => undefined, recordUse: async () => undefined },
    budgets: { list: async () => [] },
    removeExpired: async () => 0,
  };
  // The rest is not used.
  return { stores: stores as unknown as Stores, blobs, ledger, bytes, reserved, files };
}

function memoryFiles(files: Map<string, FileRecord>, reserved: Map<string, number>): Partial<FileStore> {
  return {
    async create(record) {
      for (const { key } of record.content) reserved.delete(key);
      files.set(record.file.id, record);
    },
    get: async (id) => files.get(id),
    async delete(id, dueAfterMs) {
      for (const { key } of files.get(id)?.content ?? []) reserved.set(key, Date.now() + dueAfterMs);
      return files.delete(id);
    },
  };
}

function memoryUploads(reserved: Map<string, number>, uploads: Map<string, UploadRecord>): Partial<UploadStore> {
  return {
    create: async (record) => void uploads.set(record.upload.id, record),
    get: async (id) => uploads.get(id),
    async addPart(record) {
      reserved.delete(record.segment.key);
      return 'added';
    },
  };
}
