import { sql } from 'kysely';
import { tombstoneCursor } from './tombstones.ts';
import type { Cursor } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { firstPairTerm } from './term.ts';
import type { StoredText } from './text.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

interface PageValues {
  readonly project: StoredText;
  /** At least one. The first is scanned. */
  readonly terms: readonly string[];
  readonly cursor: Cursor | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** How many entries of each term are read to find the rarest. More would cost more than they save. */
export const reachEntries = 100;

export function completionQueries(db: QueryBuilder) {
  return {
    insert: statement(
      (
        slot: Slots<
          RecordKey & {
            readonly created: number;
            readonly metadata: string;
            readonly body: string;
            readonly messages: string;
            readonly bytes: number;
          }
        >,
      ) =>
        db.insertInto('completions').values({
          id: slot(({ id }) => id),
          project: slot(({ project }) => project),
          created: slot(({ created }) => created),
          metadata: slot(({ metadata }) => metadata),
          body: slot(({ body }) => body),
          messages: slot(({ messages }) => messages),
          bytes: slot(({ bytes }) => bytes),
        }),
    ),

    insertTerms: statement(
      (slot: Slots<RecordKey & { readonly terms: readonly string[] }>, { terms }) => {
        const rows = terms.map((_, index) => sql`(${slot((values) => values.terms[index] ?? null)})`);
        return db
          .with('given(term)', () => sql<{ term: string }>`(values ${sql.join(rows)})`)
          .insertInto('completion_terms')
          .columns(['seq', 'term', 'created'])
          .expression((eb) =>
            eb
              .selectFrom('completions')
              .crossJoin('given')
              .select(['completions.seq', 'given.term', 'completions.created'])
              .where(matchesKey(slot)),
          );
      },
      ({ terms }) => String(terms.length),
    ),

    deletePairTerms: statement((slot: Slots<RecordKey>) =>
      db
        .deleteFrom('completion_terms')
        .where('seq', '=', (eb) => eb.selectFrom('completions').select('completions.seq').where(matchesKey(slot)))
        .where('term', '>=', firstPairTerm),
    ),

    setMetadata: statement((slot: Slots<RecordKey & { readonly metadata: string }>) =>
      db
        .updateTable('completions')
        .set({ metadata: slot(({ metadata }) => metadata) })
        .where(matchesKey(slot))
        .returning(['body', 'metadata']),
    ),

    delete: statement((slot: Slots<RecordKey>) =>
      db.deleteFrom('completions').where(matchesKey(slot)).returning('seq'),
    ),

    get: statement((slot: Slots<RecordKey>) =>
      db.selectFrom('completions').select(['body', 'metadata']).where(matchesKey(slot)),
    ),

    messages: statement((slot: Slots<RecordKey>) =>
      db.selectFrom('completions').select('messages').where(matchesKey(slot)),
    ),

    cursor: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('completions')
        .select(['created', 'seq'])
        .where(matchesKey(slot))
        .unionAll(tombstoneCursor(db, slot, 'completions')),
    ),

    /** Counts the next `reachEntries` entries of each term and returns the time of the last one: the rarer, the farther away. */
    reach: statement(
      (slot: Slots<Pick<PageValues, 'terms' | 'cursor'>>, { terms, cursor, order }) => {
        const reaches = terms.map((_, index) => {
          const some = walk(db, slot, { index, cursor, order }).select('walked.created').limit(reachEntries).as('some');
          return db
            .selectFrom(some)
            .select(({ fn, lit }) => [
              lit(index).as('index'),
              fn.countAll<number>().as('count'),
              (order === 'asc' ? fn.max('created') : fn.min('created')).as('last'),
            ]);
        });
        const [first, ...others] = reaches;
        if (!first) throw new TypeError('there is no term');
        return others.reduce((all, one) => all.unionAll(one), first);
      },
      ({ terms, cursor, order }: Pick<PageValues, 'terms' | 'cursor' | 'order'>) =>
        `${terms.length} ${order} ${cursor ? 'after' : ''}`,
    ),

    page: statement(
      (slot: Slots<PageValues>, like) => page(db, slot, like),
      ({ terms, cursor, order }) => `${terms.length} ${order} ${cursor ? 'after' : ''}`,
    ),
  };
}

/** Walks the index of the first term, which is in page order, and looks the others up for each row. */
function page(db: QueryBuilder, slot: Slots<PageValues>, { terms, cursor, order }: PageValues) {
  let query = walk(db, slot, { index: 0, cursor, order })
    // SQLite leaves the order of a cross join as it is written.
    .crossJoin('completions')
    .whereRef('completions.seq', '=', 'walked.seq')
    .select(['completions.body', 'completions.metadata'])
    .where(
      'completions.project',
      '=',
      slot(({ project }) => project),
    )
    .limit(slot(({ limit }) => limit));
  for (let index = 1; index < terms.length; index++) {
    // Not `exists`, which PostgreSQL may turn into a join that begins with the other term, and reads all of it.
    query = query.where(({ eb, selectFrom }) =>
      eb(
        selectFrom('completion_terms as other')
          .select('other.seq')
          .whereRef('other.seq', '=', 'walked.seq')
          .where(
            'other.term',
            '=',
            slot((values) => values.terms[index] ?? ''),
          ),
        'is not',
        null,
      ),
    );
  }
  return query;
}

/** The entries of a term in page order, from the cursor on. */
function walk(
  db: QueryBuilder,
  slot: Slots<Pick<PageValues, 'terms' | 'cursor'>>,
  { index, cursor, order }: Pick<PageValues, 'cursor' | 'order'> & { readonly index: number },
) {
  const query = db
    .selectFrom('completion_terms as walked')
    .where(
      'walked.term',
      '=',
      slot((values) => values.terms[index] ?? ''),
    )
    .orderBy('walked.created', order)
    .orderBy('walked.seq', order);
  if (!cursor) return query;
  return query.where(({ eb, refTuple, tuple }) =>
    eb(
      refTuple('walked.created', 'walked.seq'),
      order === 'asc' ? '>' : '<',
      tuple(
        slot((values) => values.cursor?.created ?? 0),
        slot((values) => values.cursor?.seq ?? 0),
      ),
    ),
  );
}
