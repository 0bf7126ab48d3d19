import { sql } from 'kysely';
import { cursorStatement } from './tombstones.ts';
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
  /** Where the scan ends: the first time that is too late (`asc`), or the last one that is early enough (`desc`). */
  readonly end: number | undefined;
  readonly content: 'bodies' | 'summaries';
  readonly limit: number;
}

/** Which entries of a term are read. */
export type WalkRange = Pick<PageValues, 'cursor' | 'order' | 'end'>;

const walkShape = ({ cursor, order, end }: WalkRange): string =>
  `${order} ${cursor ? 'after' : ''} ${end === undefined ? '' : 'until'}`;

/** How many entries of each term are read to find the rarest. More would cost more than they save. */
export const maxSampledEntries = 100;

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
          id: slot('id'),
          project: slot('project'),
          created: slot('created'),
          metadata: slot('metadata'),
          body: slot('body'),
          messages: slot('messages'),
          bytes: slot('bytes'),
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

    insertSummary: statement((slot: Slots<RecordKey & { readonly summary: string }>) =>
      db
        .insertInto('completion_summaries')
        .columns(['seq', 'body'])
        .expression((eb) =>
          eb
            .selectFrom('completions')
            .select(['completions.seq', sql<string>`${slot('summary')}`.as('body')])
            .where(matchesKey(slot)),
        ),
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
        .set({ metadata: slot('metadata') })
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

    cursor: cursorStatement(db, 'completions'),

    /** Counts the next `maxSampledEntries` entries of each term and returns the time of the last one: the rarer the term, the farther away. */
    sampleTerms: statement(
      (slot: Slots<Pick<PageValues, 'terms' | 'cursor' | 'end'>>, { terms, ...range }) => {
        const { order } = range;
        const samples = terms.map((_, index) => {
          const entries = walk(db, slot, { ...range, index })
            .select('walked.created')
            .limit(maxSampledEntries)
            .as('some');
          return db
            .selectFrom(entries)
            .select(({ fn, lit }) => [
              lit(index).as('index'),
              fn.countAll<number>().as('count'),
              (order === 'asc' ? fn.max('created') : fn.min('created')).as('last'),
            ]);
        });
        const [first, ...others] = samples;
        if (!first) throw new TypeError('there is no term');
        return others.reduce((union, sample) => union.unionAll(sample), first);
      },
      ({ terms, ...range }: WalkRange & Pick<PageValues, 'terms'>) => `${terms.length} ${walkShape(range)}`,
    ),

    page: statement(
      (slot: Slots<PageValues>, example) => page(db, slot, example),
      ({ terms, content, ...range }) => `${content} ${terms.length} ${walkShape(range)}`,
    ),
  };
}

/** Scans the index of the first term, which is in page order, and looks up the others for each row. */
function page(db: QueryBuilder, slot: Slots<PageValues>, { terms, content, ...range }: PageValues) {
  let query = walk(db, slot, { ...range, index: 0 })
    // SQLite leaves the order of a cross join as it is written.
    .crossJoin('completions')
    .whereRef('completions.seq', '=', 'walked.seq')
    .select(({ fn, ref, selectFrom }) => [
      'completions.metadata',
      (content === 'bodies'
        ? ref('completions.body')
        : // Reads the body only of a completion that a server of an earlier version stored.
          fn.coalesce(
            selectFrom('completion_summaries')
              .select('completion_summaries.body')
              .whereRef('completion_summaries.seq', '=', 'walked.seq')
              .$asScalar(),
            ref('completions.body'),
          )
      ).as('body'),
    ])
    .where('completions.project', '=', slot('project'))
    .limit(slot('limit'));
  for (let index = 1; index < terms.length; index++) {
    // Not `exists`, which PostgreSQL may convert to a join that starts with the other term and reads all of it.
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

/** The entries of a term in page order, from the cursor to the end. */
function walk(
  db: QueryBuilder,
  slot: Slots<Pick<PageValues, 'terms' | 'cursor' | 'end'>>,
  { index, cursor, order, end }: WalkRange & { readonly index: number },
) {
  let query = db
    .selectFrom('completion_terms as walked')
    .where(
      'walked.term',
      '=',
      slot((values) => values.terms[index] ?? ''),
    )
    .orderBy('walked.created', order)
    .orderBy('walked.seq', order);
  if (end !== undefined) {
    query = query.where(
      'walked.created',
      order === 'asc' ? '<' : '>=',
      slot((values) => values.end ?? 0),
    );
  }
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
