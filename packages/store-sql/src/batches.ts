import type { Batch } from '@modelwire/schema/types';
import type { BatchResult, BatchStore, BatchWork, Lease, PageQuery } from '@modelwire/ports';
import { batchQueries } from './batch-queries.ts';
import type { SqlDatabase } from './database.ts';
import { inGroups } from './groups.ts';
import { pageOf } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import type { PerProject, StoreContext } from './store-context.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expectRows, transaction } from './transaction.ts';
import { endEvent } from './webhook-queries.ts';

const versionUnchanged = 'the batch is as it was read';

/** Creates the stores of batches, one per project. */
export function batchStores({
  database,
  db,
  jobs,
  consume,
  insertFile,
  publish,
}: StoreContext): PerProject<BatchStore> {
  const queries = batchQueries(db);

  return (name) => {
    const project = toStored(name);
    const jobOf = (id: StoredText) => ({ id, kind: 'batch', project }) as const;

    return {
      async create({ batch, work }) {
        const id = toStored(batch.id);
        const { created_at: created } = batch;
        await database.write([
          queries.insert({
            id,
            project,
            created,
            work: JSON.stringify(work),
            ...mutableColumns(batch),
            ...counts(batch),
          }),
          jobs.insert(jobOf(id)),
        ]);
      },

      async list({ after, limit, order }: PageQuery) {
        const [cursor] =
          after === undefined ? [] : await database.read(queries.cursor({ id: toStored(after), project }));
        if (after !== undefined && !cursor) return undefined;
        const rows = await database.scan(queries.page({ project, cursor, order, limit: limit + 1 }));
        return pageOf(rows.map(batchOf), limit);
      },

      async get(id) {
        const [row] = await database.read(queries.get({ id: toStored(id), project }));
        if (!row) return undefined;
        // What `create` wrote.
        const { keyId, outputExpiresAfter } = JSON.parse(row.work) as BatchWork;
        return { batch: batchOf(row), work: { keyId, outputExpiresAfter }, version: row.version };
      },

      async replace(batch, { version, lease, isUrgent = false }) {
        const recordKey = { id: toStored(batch.id), project };
        const replaced = await transaction(database, [
          ...(lease ? [jobs.held(jobOf(recordKey.id), lease)] : []),
          ...(isUrgent ? [jobs.makeUrgent(jobOf(recordKey.id))] : []),
          expectRows(1, versionUnchanged, queries.replace({ ...recordKey, ...mutableColumns(batch), version })),
        ]);
        return replaced !== undefined;
      },

      async addResults(id, lease, newResults) {
        const batch = toStored(id);
        let results = firstPerLine(newResults);
        for (;;) {
          const status = await add(batch, lease, results);
          if (status !== undefined) return status;
          // Usually all lines are new. Otherwise the transaction was rolled back and is repeated without the existing lines.
          const remaining = await withoutExistingResults(batch, results);
          if (remaining.length === results.length) return undefined;
          results = remaining;
        }
      },

      async linesWithResults(id) {
        const ranges = await database.scan(queries.rangesWithResults({ id: toStored(id), project }));
        return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
      },

      async results(id, { after, limit }) {
        const rows = await database.scan(queries.results({ id: toStored(id), project, after, limit }));
        return rows.map(({ line, failed, text }) => ({ line, failed: failed === 1, text: fromStored(text) }));
      },

      async end(batch, { version, lease, files }) {
        const recordKey = { id: toStored(batch.id), project };
        const keys = files.flatMap(({ content }) => content.map(({ key }) => key));
        const ended = await transaction(database, [
          jobs.held(jobOf(recordKey.id), lease),
          expectRows(1, versionUnchanged, queries.replace({ ...recordKey, ...mutableColumns(batch), version })),
          ...(batch.request_counts ? [queries.setCounts({ ...recordKey, ...counts(batch) })] : []),
          ...consume(keys),
          ...files.flatMap((file) => insertFile(project, file)),
          // Hides the results. They are removed later: deleting 50,000 rows here would block other writes for most of a second.
          jobs.end(jobOf(recordKey.id)),
          ...publish(endEvent('batch', batch, name)),
        ]);
        return ended !== undefined;
      },
    };

    /** Returns the batch's status; undefined when the lease was lost or one of the lines already has a result. */
    async function add(batch: StoredText, lease: Lease, results: readonly BatchResult[]): Promise<string | undefined> {
      const failed = results.filter((one) => one.failed).length;
      const rows = await transaction(database, [
        jobs.held(jobOf(batch), lease),
        queries.count({ id: batch, project, failed, completed: results.length - failed }),
        ...inGroups(results).map((group) =>
          expectRows(group.length, 'the lines are new', queries.addResults({ batch, results: group })),
        ),
      ]);
      const status = rows?.[1][0]?.status;
      return status && fromStored(status);
    }

    async function withoutExistingResults(id: StoredText, results: readonly BatchResult[]): Promise<BatchResult[]> {
      const groups = inGroups(results.map(({ line }) => line));
      const rows = await Promise.all(
        groups.map((lines) => database.read(queries.existingResults({ id, project, lines }))),
      );
      const existingLines = new Set(rows.flat().map(({ line }) => line));
      return results.filter(({ line }) => !existingLines.has(line));
    }
  };
}

/** The columns that `replace` writes. */
function mutableColumns(batch: Batch): { readonly status: StoredText; readonly body: string } {
  return { status: toStored(batch.status), body: JSON.stringify(batch) };
}

function counts({ request_counts: { completed, failed } = { total: 0, completed: 0, failed: 0 } }: Batch) {
  return { completed, failed };
}

function batchOf({ body, completed, failed }: { body: string; completed: number; failed: number }): Batch {
  // What `create` and `replace` wrote.
  const batch = JSON.parse(body) as Batch;
  batch.request_counts = { total: batch.request_counts?.total ?? 0, completed, failed };
  return batch;
}

/** Keeps the first result of each line. */
function firstPerLine(results: readonly BatchResult[]): BatchResult[] {
  const lines = new Set<number>();
  return results.filter(({ line }) => !lines.has(line) && lines.add(line));
}

/** Removes results of ended batches, at most `limit`. Returns how many were removed. */
export function removeEndedResults(database: SqlDatabase, db: QueryBuilder): (limit: number) => Promise<number> {
  const { ended, removeResults, deleteJob } = batchQueries(db);
  return async (limit) => {
    let remaining = limit;
    for (const { id } of await database.read(ended({ limit }))) {
      const [removed] = await database.write([removeResults({ batch: id, limit: remaining })]);
      remaining -= removed.length;
      if (remaining === 0) break;
      await database.write([deleteJob({ id })]);
    }
    return limit - remaining;
  };
}
