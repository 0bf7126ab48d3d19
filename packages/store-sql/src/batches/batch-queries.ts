import type { BatchResult } from '@modelwire/ports';
import { sql } from 'kysely';
import { pageQuery, pageShape } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRow } from '../query/rows.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';

interface LineCounts {
  readonly completed_lines: number;
  readonly failed_lines: number;
}

interface Results {
  readonly id: StoredText;
  readonly results: readonly BatchResult[];
}

interface MutableColumns {
  readonly status: StoredText;
  readonly body: string;
}

export function batchQueries(db: QueryBuilder) {
  const select = (slot: Slots<RecordKey>) => db.selectFrom('batches').where(matchesKey(slot));
  const update = (slot: Slots<RecordKey>) => db.updateTable('batches').where(matchesKey(slot));
  /** Results of a batch of this project that has not ended. */
  const selectResults = (slot: Slots<RecordKey>) =>
    db
      .selectFrom('batch_results')
      .where('batch_id', '=', slot('id'))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('jobs')
            .select('jobs.seq')
            .where('jobs.id', '=', slot('id'))
            .where('jobs.kind', '=', 'batch')
            .where('jobs.status', '=', 'open')
            .where('jobs.project_id', '=', slot('project_id')),
        ),
      );

  return {
    insert: insertRow(db, 'batches'),

    get: statement((slot: Slots<RecordKey>) =>
      select(slot).select(['version', 'completed_lines', 'failed_lines', 'job_input', 'body']),
    ),

    // Batches are never removed: there are no positions of deleted ones.
    cursor: statement((slot: Slots<RecordKey>) => select(slot).select(['created_at', 'seq'])),

    page: statement(
      (slot: Slots<PageValues>, example) =>
        pageQuery(db, 'batches', slot, example).select(['completed_lines', 'failed_lines']),
      pageShape,
    ),

    replace: statement((slot: Slots<RecordKey & MutableColumns & { readonly version: number }>) =>
      update(slot)
        .set((eb) => ({
          version: eb('version', '+', 1),
          status: slot('status'),
          body: slot('body'),
        }))
        .where('version', '=', slot('version'))
        .returning('seq'),
    ),

    forwarding: statement((slot: Slots<RecordKey>) => select(slot).select('forwarding')),

    setForwarding: statement((slot: Slots<RecordKey & { readonly forwarding: StoredText }>) =>
      update(slot).set({ forwarding: slot('forwarding') }),
    ),

    setCounts: statement((slot: Slots<RecordKey & LineCounts>) =>
      update(slot).set({ completed_lines: slot('completed_lines'), failed_lines: slot('failed_lines') }),
    ),

    count: statement((slot: Slots<RecordKey & LineCounts>) =>
      update(slot)
        .set((eb) => ({
          completed_lines: eb('completed_lines', '+', slot('completed_lines')),
          failed_lines: eb('failed_lines', '+', slot('failed_lines')),
        }))
        .returning('status'),
    ),

    /** Returns the lines that were inserted. */
    addResults: statement(
      (slot: Slots<Results>, example) =>
        db
          .insertInto('batch_results')
          .values(
            example.results.map((_, index) => ({
              batch_id: slot('id'),
              line: slot((v) => v.results[index]?.line ?? 0),
              is_failed: slot((v) => Number(v.results[index]?.failed)),
              result: slot((v) => toStored(v.results[index]?.text ?? '')),
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('line'),
      ({ results }) => String(results.length),
    ),

    existingResults: statement(
      (slot: Slots<RecordKey & { readonly lines: readonly number[] }>, example) =>
        selectResults(slot)
          .select('line')
          .where('line', 'in', slotList(slot, example, 'lines')),
      ({ lines }) => String(lines.length),
    ),

    /** Returns contiguous ranges: usually few, however many lines there are. */
    rangesWithResults: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom(
          selectResults(slot)
            .select(({ eb, fn }) => [
              'line',
              // Equal for all lines of a range.
              eb(
                'line',
                '-',
                fn.agg<number>('row_number').over((over) => over.orderBy('line')),
              ).as('range'),
            ])
            .as('lines'),
        )
        .select(({ fn }) => [fn.min('line').as('first'), fn.max('line').as('last')])
        .groupBy('lines.range')
        .orderBy('first'),
    ),

    results: statement((slot: Slots<RecordKey & { readonly after: number; readonly limit: number }>) =>
      selectResults(slot)
        .select(['line', 'is_failed', 'result'])
        .where('line', '>', slot('after'))
        .orderBy('line')
        .limit(slot('limit')),
    ),

    ended: statement((slot: Slots<{ readonly limit: number }>) =>
      db
        .selectFrom('jobs')
        .select('id')
        // A literal, so that the partial index is used.
        .where(sql<boolean>`status = 'ended'`)
        .orderBy('seq')
        .limit(slot('limit')),
    ),

    removeResults: statement((slot: Slots<{ readonly id: StoredText; readonly limit: number }>) => {
      const batch = slot('id');
      return db
        .deleteFrom('batch_results')
        .where('batch_id', '=', batch)
        .where('line', 'in', (eb) =>
          eb
            .selectFrom('batch_results as some')
            .select('some.line')
            .where('some.batch_id', '=', batch)
            .orderBy('some.line')
            .limit(slot('limit')),
        )
        .returning('line');
    }),

    deleteJob: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db.deleteFrom('jobs').where('id', '=', slot('id')).where('kind', '=', 'batch'),
    ),
  };
}
