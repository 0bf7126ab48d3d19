import type { BatchResult } from '@modelwire/ports';
import { behind } from './pages.ts';
import type { PageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { isOf } from './which.ts';
import type { Which } from './which.ts';

interface Counts {
  readonly completed: number;
  readonly failed: number;
}

interface Written {
  readonly status: StoredText;
  readonly body: string;
}

interface OfBatch {
  readonly batch: StoredText;
}

const over = 'batch that is over';

export function batchQueries(db: QueryBuilder) {
  const select = (slot: Slots<Which>) => db.selectFrom('batches').where(isOf(slot));
  const update = (slot: Slots<Which>) => db.updateTable('batches').where(isOf(slot));
  /** Of a batch of this project that is not over. */
  const selectResults = (slot: Slots<Which>) =>
    db
      .selectFrom('batch_results')
      .where(
        'batch',
        '=',
        slot((v) => v.id),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('jobs')
            .select('jobs.seq')
            .where(
              'jobs.id',
              '=',
              slot((v) => v.id),
            )
            .where('jobs.kind', '=', 'batch')
            .where(
              'jobs.project',
              '=',
              slot((v) => v.project),
            ),
        ),
      );

  return {
    insert: statement((slot: Slots<Which & Written & Counts & { readonly created: number; readonly work: string }>) =>
      db.insertInto('batches').values({
        id: slot((v) => v.id),
        project: slot((v) => v.project),
        created: slot((v) => v.created),
        version: 1,
        status: slot((v) => v.status),
        completed: slot((v) => v.completed),
        failed: slot((v) => v.failed),
        work: slot((v) => v.work),
        body: slot((v) => v.body),
      }),
    ),

    get: statement((slot: Slots<Which>) => select(slot).select(['version', 'completed', 'failed', 'work', 'body'])),

    place: statement((slot: Slots<Which>) => select(slot).select(['created', 'seq'])),

    page: statement(
      (slot: Slots<PageValues & { readonly project: StoredText }>, { place, order }) => {
        const query = db
          .selectFrom('batches')
          .select(['completed', 'failed', 'body'])
          .where(
            'project',
            '=',
            slot((v) => v.project),
          )
          .orderBy('created', order)
          .orderBy('seq', order)
          .limit(slot((v) => v.limit));
        return place ? query.where(behind(slot, order)) : query;
      },
      ({ place, order }) => `${order} ${place ? 'after' : ''}`,
    ),

    replace: statement((slot: Slots<Which & Written & { readonly version: number }>) =>
      update(slot)
        .set((eb) => ({
          version: eb('version', '+', 1),
          status: slot((v) => v.status),
          body: slot((v) => v.body),
        }))
        .where(
          'version',
          '=',
          slot((v) => v.version),
        )
        .returning('seq'),
    ),

    setCounts: statement((slot: Slots<Which & Counts>) =>
      update(slot).set({ completed: slot((v) => v.completed), failed: slot((v) => v.failed) }),
    ),

    count: statement((slot: Slots<Which & Counts>) => {
      const completed = slot((v) => v.completed);
      const failed = slot((v) => v.failed);
      return update(slot)
        .set((eb) => ({ completed: eb('completed', '+', completed), failed: eb('failed', '+', failed) }))
        .returning('status');
    }),

    /** Gives those that are new. */
    addResults: statement(
      (slot: Slots<OfBatch & { readonly results: readonly BatchResult[] }>, { results }) =>
        db
          .insertInto('batch_results')
          .values(
            results.map((_, index) => ({
              batch: slot((v) => v.batch),
              line: slot((v) => v.results[index]?.line ?? 0),
              failed: slot((v) => Number(v.results[index]?.failed)),
              text: slot((v) => toStored(v.results[index]?.text ?? '')),
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('line'),
      ({ results }) => String(results.length),
    ),

    answeredOf: statement(
      (slot: Slots<Which & { readonly lines: readonly number[] }>, { lines }) =>
        selectResults(slot)
          .select('line')
          .where(
            'line',
            'in',
            lines.map((_, index) => slot((v) => v.lines[index] ?? 0)),
          ),
      ({ lines }) => String(lines.length),
    ),

    /** As ranges without a gap: mostly few, however many lines there are. */
    answered: statement((slot: Slots<Which>) =>
      db
        .selectFrom(
          selectResults(slot)
            .select(({ eb, fn }) => [
              'line',
              // The same for all lines of a range.
              eb(
                'line',
                '-',
                fn.agg<number>('row_number').over((over) => over.orderBy('line')),
              ).as('range'),
            ])
            .as('answered'),
        )
        .select(({ fn }) => [fn.min('line').as('first'), fn.max('line').as('last')])
        .groupBy('answered.range')
        .orderBy('first'),
    ),

    results: statement((slot: Slots<Which & { readonly after: number; readonly limit: number }>) =>
      selectResults(slot)
        .select(['line', 'failed', 'text'])
        .where(
          'line',
          '>',
          slot((v) => v.after),
        )
        .orderBy('line')
        .limit(slot((v) => v.limit)),
    ),

    over: statement((slot: Slots<{ readonly limit: number }>) =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('due', '<=', 0)
        .where('kind', '=', over)
        .limit(slot((v) => v.limit)),
    ),

    removeResults: statement((slot: Slots<OfBatch & { readonly limit: number }>) => {
      const batch = slot((v) => v.batch);
      return db
        .deleteFrom('batch_results')
        .where('batch', '=', batch)
        .where('line', 'in', (eb) =>
          eb
            .selectFrom('batch_results as some')
            .select('some.line')
            .where('some.batch', '=', batch)
            .orderBy('some.line')
            .limit(slot((v) => v.limit)),
        )
        .returning('line');
    }),

    forget: statement((slot: Slots<{ readonly id: StoredText }>) =>
      db
        .deleteFrom('jobs')
        .where(
          'id',
          '=',
          slot((v) => v.id),
        )
        .where('kind', '=', over),
    ),
  };
}
