import type { BatchResult } from '@modelwire/ports';
import { sql } from 'kysely';
import { afterCursor } from './pages.ts';
import type { PageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

interface Counts {
  readonly completed: number;
  readonly failed: number;
}

interface MutableColumns {
  readonly status: StoredText;
  readonly body: string;
}

interface OfBatch {
  readonly batch: StoredText;
}

export function batchQueries(db: QueryBuilder) {
  const select = (slot: Slots<RecordKey>) => db.selectFrom('batches').where(matchesKey(slot));
  const update = (slot: Slots<RecordKey>) => db.updateTable('batches').where(matchesKey(slot));
  /** Results of a batch of this project that has not ended. */
  const selectResults = (slot: Slots<RecordKey>) =>
    db
      .selectFrom('batch_results')
      .where('batch', '=', slot('id'))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('jobs')
            .select('jobs.seq')
            .where('jobs.id', '=', slot('id'))
            .where('jobs.kind', '=', 'batch')
            .where('jobs.status', '=', 'open')
            .where('jobs.project', '=', slot('project')),
        ),
      );

  return {
    insert: statement(
      (slot: Slots<RecordKey & MutableColumns & Counts & { readonly created: number; readonly work: string }>) =>
        db.insertInto('batches').values({
          id: slot('id'),
          project: slot('project'),
          created: slot('created'),
          version: 1,
          status: slot('status'),
          completed: slot('completed'),
          failed: slot('failed'),
          work: slot('work'),
          body: slot('body'),
        }),
    ),

    get: statement((slot: Slots<RecordKey>) => select(slot).select(['version', 'completed', 'failed', 'work', 'body'])),

    cursor: statement((slot: Slots<RecordKey>) => select(slot).select(['created', 'seq'])),

    page: statement(
      (slot: Slots<PageValues & { readonly project: StoredText }>, { cursor, order }) => {
        const query = db
          .selectFrom('batches')
          .select(['completed', 'failed', 'body'])
          .where('project', '=', slot('project'))
          .orderBy('created', order)
          .orderBy('seq', order)
          .limit(slot('limit'));
        return cursor ? query.where(afterCursor(slot, order)) : query;
      },
      ({ cursor, order }) => `${order} ${cursor ? 'after' : ''}`,
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

    setCounts: statement((slot: Slots<RecordKey & Counts>) =>
      update(slot).set({ completed: slot('completed'), failed: slot('failed') }),
    ),

    count: statement((slot: Slots<RecordKey & Counts>) => {
      const completed = slot('completed');
      const failed = slot('failed');
      return update(slot)
        .set((eb) => ({ completed: eb('completed', '+', completed), failed: eb('failed', '+', failed) }))
        .returning('status');
    }),

    /** Returns the lines that were inserted. */
    addResults: statement(
      (slot: Slots<OfBatch & { readonly results: readonly BatchResult[] }>, { results }) =>
        db
          .insertInto('batch_results')
          .values(
            results.map((_, index) => ({
              batch: slot('batch'),
              line: slot((v) => v.results[index]?.line ?? 0),
              failed: slot((v) => Number(v.results[index]?.failed)),
              text: slot((v) => toStored(v.results[index]?.text ?? '')),
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('line'),
      ({ results }) => String(results.length),
    ),

    existingResults: statement(
      (slot: Slots<RecordKey & { readonly lines: readonly number[] }>, { lines }) =>
        selectResults(slot)
          .select('line')
          .where(
            'line',
            'in',
            lines.map((_, index) => slot((v) => v.lines[index] ?? 0)),
          ),
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
        .select(['line', 'failed', 'text'])
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

    removeResults: statement((slot: Slots<OfBatch & { readonly limit: number }>) => {
      const batch = slot('batch');
      return db
        .deleteFrom('batch_results')
        .where('batch', '=', batch)
        .where('line', 'in', (eb) =>
          eb
            .selectFrom('batch_results as some')
            .select('some.line')
            .where('some.batch', '=', batch)
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
