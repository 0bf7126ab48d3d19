import { createHash } from 'node:crypto';
import type { Batch } from '@modelwire/schema/types';
import type {
  BatchRecord,
  BatchResult,
  BatchStore,
  Blobs,
  FileRecord,
  JobStore,
  Lease,
  Stores,
} from '@modelwire/ports';
import { BlobMissingError } from '@modelwire/ports';

interface KeptJob extends Lease {
  due: number;
}

/** Due times of urgent jobs, and of released jobs. */
export const urgentDue = 0;
export const resumedDue = 1;

interface KeptBatch extends BatchRecord {
  readonly results: Map<number, BatchResult>;
}

export interface MemoryWork {
  readonly stores: Stores;
  readonly blobs: Blobs;
  readonly jobs: Map<string, KeptJob>;
  readonly batches: Map<string, KeptBatch>;
  readonly files: Map<string, FileRecord>;
  readonly bytes: Map<string, Uint8Array>;
  /** Keys without a record. */
  readonly reserved: Map<string, number>;
  /** Stores a file of the purpose `batch` and returns its ID. */
  input(lines: readonly unknown[] | string, file?: Partial<FileRecord['file']>): string;
  /** The lines of a file. */
  linesOf(file: string | null | undefined): unknown[];
}

/** The parts of stores and blobs that batches need, for tests of the server: in memory, for one project. */
export function memoryWork(): MemoryWork {
  const jobs = new Map<string, KeptJob>();
  const batches = new Map<string, KeptBatch>();
  const files = new Map<string, FileRecord>();
  const bytes = new Map<string, Uint8Array>();
  const reserved = new Map<string, number>();
  const take = (file: FileRecord): void => {
    for (const { key } of file.content) reserved.delete(key);
    files.set(file.file.id, file);
  };
  const stores = {
    project: () => ({
      batches: memoryBatches({ jobs, batches, take }),
      files: { get: async (id: string) => files.get(id) },
    }),
    jobs: memoryJobs(jobs),
    ledger: {
      reserve: async (key: string, ttlMs: number) => void reserved.set(key, Date.now() + ttlMs),
      release: async (key: string) => {
        if (reserved.has(key)) reserved.set(key, Date.now());
      },
    },
    usage: { add: async () => undefined },
    keys: { get: async () => undefined, getProject: async () => undefined, recordUse: async () => undefined },
    budgets: { list: async () => [] },
    removeExpired: async () => 0,
  };
  const blobs: Blobs = {
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
  return {
    // Only what batches use is implemented.
    stores: stores as unknown as Stores,
    blobs,
    jobs,
    batches,
    files,
    bytes,
    reserved,
    input(lines, file) {
      const text = typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const id = `file-${files.size}`;
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
      files.set(id, { file: { ...init, ...file }, mediaType: undefined, content: segments });
      return id;
    },
    linesOf(file) {
      const keys = files.get(file ?? '')?.content.map(({ key }) => key) ?? [];
      const text = keys.map((key) => new TextDecoder().decode(bytes.get(key))).join('');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line));
    },
  };
}

/** The job of a batch that was not started. */
export function newJob(id: string, project: string, due: number): KeptJob {
  return { id, kind: 'batch', project, attempt: 0, crashes: 0, notes: undefined, token: '', due };
}

let tokens = 0;

export function memoryJobs(jobs: Map<string, KeptJob>): JobStore {
  const leasedJob = (lease: Lease): KeptJob | undefined => {
    const job = jobs.get(lease.id);
    return job?.token === lease.token ? job : undefined;
  };
  return {
    async claim({ kinds, leaseMs, due: wanted = 'any', except = [], token = `token ${++tokens}`, countCrash = true }) {
      const now = Date.now();
      const [from, to] =
        typeof wanted === 'object' ? [resumedDue + 1, now - wanted.minWaitingMs] : [0, wanted === 'any' ? now : 0];
      const due = [...jobs.values()].filter(
        (job) => kinds.includes(job.kind) && job.due >= from && job.due <= to && !except.includes(job.project),
      );
      const [first] = due.sort((a, b) => a.due - b.due);
      if (!first) return undefined;
      const { id, kind, project, attempt, notes } = first;
      const crashes = first.crashes + Number(countCrash && first.token !== '');
      const lease = { id, kind, project, attempt: attempt + 1, crashes, notes, token };
      jobs.set(id, { ...lease, due: now + leaseMs });
      return lease;
    },
    async cancelClaim(token) {
      const job = [...jobs.values()].find((one) => one.token === token);
      if (job) jobs.set(job.id, { ...job, attempt: job.attempt - 1, due: resumedDue, token: '' });
      return job !== undefined;
    },
    async renew(lease, leaseMs) {
      const job = leasedJob(lease);
      if (job) job.due = Date.now() + leaseMs;
      return job !== undefined;
    },
    async backlog() {
      const running = [...jobs.values()].filter(({ token }) => token !== '').length;
      return [{ kind: 'batch', waiting: jobs.size - running, running, oldestWaitingMs: 0 }];
    },
    async note(lease, notes) {
      const job = leasedJob(lease);
      if (job) jobs.set(job.id, { ...job, notes, crashes: 0 });
      return job !== undefined;
    },
    async release(lease, { afterMs, skipAttempt = false } = {}) {
      const job = leasedJob(lease);
      const due = afterMs === undefined ? resumedDue : Date.now() + afterMs;
      if (job) jobs.set(job.id, { ...job, attempt: job.attempt - Number(skipAttempt), due, token: '' });
      return job !== undefined;
    },
  };
}

function memoryBatches({
  jobs,
  batches,
  take,
}: {
  readonly jobs: Map<string, KeptJob>;
  readonly batches: Map<string, KeptBatch>;
  readonly take: (file: FileRecord) => void;
}): BatchStore {
  const holds = (lease: Lease): boolean => jobs.get(lease.id)?.token === lease.token;
  const shown = ({ batch, results }: KeptBatch): Batch => {
    if (results.size === 0) return batch;
    const failed = [...results.values()].filter((one) => one.failed).length;
    const total = batch.request_counts?.total ?? 0;
    return { ...batch, request_counts: { total, completed: results.size - failed, failed } };
  };
  const write = (batch: Batch, version: number): boolean => {
    const kept = batches.get(batch.id);
    if (kept?.version !== version) return false;
    batches.set(batch.id, { ...kept, batch, version: version + 1 });
    return true;
  };
  return {
    async create({ batch, work }) {
      batches.set(batch.id, { batch, work, version: 1, results: new Map() });
      jobs.set(batch.id, newJob(batch.id, 'p', Date.now()));
    },
    async list({ after, limit }) {
      const all = [...batches.values()].map(shown).reverse();
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && from === 0) return undefined;
      return { items: all.slice(from, from + limit), hasMore: all.length > from + limit };
    },
    async get(id) {
      const kept = batches.get(id);
      return kept && { batch: shown(kept), work: kept.work, version: kept.version };
    },
    async replace(batch, { version, lease, isUrgent = false }) {
      if ((lease && !holds(lease)) || !write(batch, version)) return false;
      const job = jobs.get(batch.id);
      if (isUrgent && job?.token === '') job.due = urgentDue;
      return true;
    },
    async addResults(id, lease, results) {
      const kept = batches.get(id);
      if (!kept || !holds(lease)) return undefined;
      for (const one of results) if (!kept.results.has(one.line)) kept.results.set(one.line, one);
      return kept.batch.status;
    },
    async linesWithResults(id) {
      return [...(batches.get(id)?.results.keys() ?? [])].sort((a, b) => a - b);
    },
    async results(id, { after, limit }) {
      const all = [...(batches.get(id)?.results.values() ?? [])].sort((a, b) => a.line - b.line);
      return all.filter(({ line }) => line > after).slice(0, limit);
    },
    async end(batch, { version, lease, files }) {
      if (!holds(lease) || !write(batch, version)) return false;
      for (const file of files) take(file);
      batches.get(batch.id)?.results.clear();
      jobs.delete(batch.id);
      return true;
    },
  };
}
