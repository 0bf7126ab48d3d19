import { BATCH_MAX_WINDOW_SECONDS } from '@modelwire/schema/internal';
import type { Batch } from '@modelwire/schema/types';
import type { BatchForwarding, BatchResult, BatchStore, BatchWork, Lease, PageQuery } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import { batchQueries } from './batch-queries.ts';
import type { SqlDatabase } from '../database/database.ts';
import { inGroups } from '../query/groups.ts';
import { readPage } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import type { Tables } from '../schema/tables.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { commit, expectRows, transaction } from '../database/transaction.ts';

const nothingForwarded: BatchForwarding = { submissions: [], preparations: 0 };
const versionUnchanged = 'the batch is as it was read';

/** Creates the stores of batches, one per project. */
export function batchStores({
  database,
  db,
  jobs,
  consume,
  insertFile,
  publishEnd,
}: StoreContext): PerProject<BatchStore> {
  const queries = batchQueries(db);

  return (name) => {
    const project_id = toStored(name);
    const keyOf = keysIn(name);
    const jobOf = (key: RecordKey) => ({ ...key, kind: 'batch' }) as const;

    return {
      async create({ batch, work }) {
        const key = keyOf(batch.id);
        await database.write([
          queries.insert({
            ...key,
            created_at: batch.created_at,
            job_input: JSON.stringify(work),
            ...mutableColumns(batch),
            ...lineCounts(batch),
          }),
          jobs.insert({ ...jobOf(key), dueForMs: dueForMs(batch) }),
        ]);
      },

      list(query: PageQuery) {
        const page = (values: Pick<PageValues, 'cursor' | 'order' | 'limit'>) =>
          queries.page({ project_id, ...values });
        return readPage(database, query, { keyOf, cursor: queries.cursor, page, itemOf: batchOf });
      },

      async get(id) {
        const [row] = await database.read(queries.get(keyOf(id)));
        if (!row) return undefined;
        // What `create` wrote.
        const { keyId, outputExpiresAfter } = JSON.parse(row.job_input) as BatchWork;
        return { batch: batchOf(row), work: { keyId, outputExpiresAfter }, version: row.version };
      },

      async replace(batch, { version, lease, isUrgent = false }) {
        const key = keyOf(batch.id);
        return commit(database, [
          ...(lease ? [jobs.held(jobOf(key), lease)] : []),
          ...(isUrgent ? [jobs.makeUrgent(jobOf(key))] : []),
          expectRows(1, versionUnchanged, queries.replace({ ...key, ...mutableColumns(batch), version })),
        ]);
      },

      async addResults(id, lease, newResults) {
        const key = keyOf(id);
        let results = firstPerLine(newResults);
        for (;;) {
          const status = await add(key, lease, results);
          if (status !== undefined) return status;
          // Usually all lines are new. Otherwise the transaction was rolled back and is repeated without the existing lines.
          const remaining = await withoutExistingResults(key, results);
          if (remaining.length === results.length) return undefined;
          results = remaining;
        }
      },

      async linesWithResults(id) {
        const ranges = await database.scan(queries.rangesWithResults(keyOf(id)));
        return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
      },

      async results(id, { after, limit }) {
        const rows = await database.scan(queries.results({ ...keyOf(id), after, limit }));
        return rows.map(({ line, is_failed, result }) => ({ line, failed: is_failed === 1, text: fromStored(result) }));
      },

      async forwarding(id) {
        const [row] = await database.read(queries.forwarding(keyOf(id)));
        // What `setForwarding` wrote.
        return row?.forwarding ? (JSON.parse(fromStored(row.forwarding)) as BatchForwarding) : nothingForwarded;
      },

      setForwarding(id, lease, forwarding) {
        const key = keyOf(id);
        return commit(database, [
          jobs.held(jobOf(key), lease),
          queries.setForwarding({ ...key, forwarding: toStored(JSON.stringify(forwarding)) }),
        ]);
      },

      async end(batch, { version, lease, files }) {
        const key = keyOf(batch.id);
        const keys = files.flatMap(({ content }) => content.map(({ key }) => key));
        return commit(database, [
          jobs.held(jobOf(key), lease),
          expectRows(1, versionUnchanged, queries.replace({ ...key, ...mutableColumns(batch), version })),
          ...(batch.request_counts ? [queries.setCounts({ ...key, ...lineCounts(batch) })] : []),
          ...consume(keys),
          ...files.flatMap((file) => insertFile(project_id, file)),
          // Hides the results. They are removed later: deleting 50,000 rows here would block other writes for most of a second.
          jobs.end(jobOf(key)),
          ...publishEnd('batch', batch, name),
        ]);
      },
    };

    /** Returns the batch's status; undefined when the lease was lost or one of the lines already has a result. */
    async function add(key: RecordKey, lease: Lease, results: readonly BatchResult[]): Promise<string | undefined> {
      const failed_lines = results.filter((one) => one.failed).length;
      const rows = await transaction(database, [
        jobs.held(jobOf(key), lease),
        queries.count({ ...key, failed_lines, completed_lines: results.length - failed_lines }),
        ...inGroups(results).map((group) =>
          expectRows(group.length, 'the lines are new', queries.addResults({ ...key, results: group })),
        ),
      ]);
      const status = rows?.[1][0]?.status;
      return status && fromStored(status);
    }

    async function withoutExistingResults(key: RecordKey, results: readonly BatchResult[]): Promise<BatchResult[]> {
      const groups = inGroups(results.map(({ line }) => line));
      const rows = await Promise.all(groups.map((lines) => database.read(queries.existingResults({ ...key, lines }))));
      const existingLines = new Set(rows.flat().map(({ line }) => line));
      return results.filter(({ line }) => !existingLines.has(line));
    }
  };
}

/** How long a new batch has been due: the sooner it expires, the longer, so that workers claim it first. */
function dueForMs({ created_at, expires_at }: Batch): number {
  const windowSeconds = (expires_at ?? created_at) - created_at;
  return Math.max(0, BATCH_MAX_WINDOW_SECONDS - windowSeconds) * 1000;
}

/** The columns that `replace` writes. */
function mutableColumns(batch: Batch): { readonly status: StoredText; readonly body: string } {
  return { status: toStored(batch.status), body: JSON.stringify(batch) };
}

function lineCounts({ request_counts }: Batch) {
  return { completed_lines: request_counts?.completed ?? 0, failed_lines: request_counts?.failed ?? 0 };
}

function batchOf({
  body,
  completed_lines: completed,
  failed_lines: failed,
}: Pick<Selectable<Tables['batches']>, 'body' | 'completed_lines' | 'failed_lines'>): Batch {
  // What `create` and `replace` wrote.
  const batch = JSON.parse(body) as Batch;
  return { ...batch, request_counts: { total: batch.request_counts?.total ?? 0, completed, failed } };
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
      const [removed] = await database.write([removeResults({ id, limit: remaining })]);
      remaining -= removed.length;
      if (remaining === 0) break;
      await database.write([deleteJob({ id })]);
    }
    return limit - remaining;
  };
}
