import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { cursorQuery, pageShape } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { ById, RecordKey } from '../query/record-key.ts';
import { deleteRecord, insertRow } from '../query/rows.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { insertWords, searchQuery } from './search-queries.ts';
import { firstPairTerm } from './term.ts';
import type { WalkRange } from './walk-range.ts';

interface CompletionPageValues extends PageValues, WalkRange {
  /** As `SearchSyntax` writes it. */
  readonly search: string | undefined;
  /** Without a search, at least one. The first is scanned. */
  readonly terms: readonly string[];
  readonly content: 'bodies' | 'records' | 'summaries';
}

/** Values of a page of all projects. */
interface AllPageValues extends WalkRange {
  readonly limit: number;
  readonly content: 'bodies' | 'summaries';
}

type WalkValues = Pick<CompletionPageValues, 'terms' | 'cursor' | 'end'>;

const walkShape = (range: WalkRange): string => `${pageShape(range)} ${range.end === undefined ? '' : 'until'}`;

/** How many entries of each term are read to find the rarest. More would cost more than they save. */
const maxSampledEntries = 100;

export function completionQueries(db: QueryBuilder) {
  const select = (slot: Slots<RecordKey>) => db.selectFrom('completions').where(matchesKey(slot));
  return {
    insert: insertRow(db, 'completions'),

    insertTerms: statement(
      (slot: Slots<RecordKey & { readonly terms: readonly string[] }>, example) => {
        const rows = slotList(slot, example, 'terms').map((term) => sql`(${term})`);
        return db
          .with('given(term)', () => sql<{ term: string }>`(values ${sql.join(rows)})`)
          .insertInto('completion_terms')
          .columns(['completion_seq', 'term', 'created_at'])
          .expression((eb) =>
            eb
              .selectFrom('completions')
              .crossJoin('given')
              .select(['completions.seq', 'given.term', 'completions.created_at'])
              .where(matchesKey(slot)),
          );
      },
      ({ terms }) => String(terms.length),
    ),

    insertSummary: statement((slot: Slots<RecordKey & { readonly summary: string }>) =>
      db
        .insertInto('completion_summaries')
        .columns(['completion_seq', 'body'])
        .expression(select(slot).select(['completions.seq', sql<string>`${slot('summary')}`.as('body')])),
    ),

    insertWords: insertWords(db),

    deletePairTerms: statement((slot: Slots<RecordKey>) =>
      db
        .deleteFrom('completion_terms')
        .where('completion_seq', '=', select(slot).select('seq'))
        .where('term', '>=', firstPairTerm),
    ),

    setMetadata: statement((slot: Slots<RecordKey & { readonly metadata: string }>) =>
      db
        .updateTable('completions')
        .set({ metadata: slot('metadata') })
        .where(matchesKey(slot))
        .returning(['body', 'metadata']),
    ),

    delete: deleteRecord(db, 'completions'),

    get: statement((slot: Slots<RecordKey>) => select(slot).select(['body', 'metadata'])),

    messages: statement((slot: Slots<RecordKey>) => select(slot).select('messages')),

    cursor: cursorQuery(db, 'completions'),

    /** The same in all projects, whose records have different IDs. */
    cursorOfAll: statement((slot: Slots<ById>) =>
      db
        .selectFrom('completions')
        .select(['created_at', 'seq'])
        .where('id', '=', slot('id'))
        .unionAll(
          db
            .selectFrom('tombstones')
            .select(['created_at', 'seq'])
            .where('list', '=', 'completions')
            .where('id', '=', slot('id')),
        ),
    ),

    /** A page of all projects, without filters. */
    pageOfAll: statement(
      (slot: Slots<AllPageValues>, { content, order, cursor, end }) => {
        let query = db
          .selectFrom('completions')
          .select(['project_id', 'created_at', 'seq', 'metadata', bodyOf(db, content).as('body')])
          .orderBy('created_at', order)
          .orderBy('seq', order)
          .limit(slot('limit'));
        if (end !== undefined) {
          query = query.where(
            'created_at',
            order === 'asc' ? '<' : '>=',
            slot((values) => values.end ?? 0),
          );
        }
        if (!cursor) return query;
        const created = slot((values) => values.cursor?.created_at ?? 0);
        const seq = slot((values) => values.cursor?.seq ?? 0);
        return query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'seq'), order === 'asc' ? '>' : '<', tuple(created, seq)),
        );
      },
      ({ content, ...range }) => `${content} ${walkShape(range)}`,
    ),

    projectOf: statement((slot: Slots<ById>) =>
      db.selectFrom('completions').select('project_id').where('id', '=', slot('id')),
    ),

    /** The projects that store anything. */
    projects: statement(() =>
      db.selectFrom('modelwire_storage_counters').select('project_id').distinct().orderBy('project_id'),
    ),

    /** Counts the next `maxSampledEntries` entries of each term and returns the time of the last one: the rarer the term, the farther away. */
    sampleTerms: statement(
      (slot: Slots<WalkValues>, { terms, ...range }) => {
        const [first, ...others] = terms.map((_, index) =>
          db
            .selectFrom(
              walk(db, slot, { ...range, index })
                .select('walked.created_at')
                .limit(maxSampledEntries)
                .as('some'),
            )
            .select(({ fn, lit }) => [
              lit(index).as('index'),
              fn.countAll<number>().as('count'),
              (range.order === 'asc' ? fn.max('created_at') : fn.min('created_at')).as('last'),
            ]),
        );
        if (!first) throw new TypeError('There is no term.');
        return others.reduce((union, sample) => union.unionAll(sample), first);
      },
      ({ terms, ...range }: WalkRange & Pick<WalkValues, 'terms'>) => `${terms.length} ${walkShape(range)}`,
    ),

    page: statement(
      (slot: Slots<CompletionPageValues>, example) => page(db, slot, example),
      ({ terms, content, search, ...range }) =>
        `${content} ${search === undefined ? '' : 'search'} ${terms.length} ${walkShape(range)}`,
    ),
  };
}

/** Reads found completions, or those of the first term, both in page order, and looks up the other terms for each of them. */
function page(db: QueryBuilder, slot: Slots<CompletionPageValues>, example: CompletionPageValues) {
  const { content, search, ...range } = example;
  if (search !== undefined) return select(searchQuery(db, slot, range), slotList(slot, example, 'terms'));
  const walked = walk(db, slot, { ...range, index: 0 })
    // SQLite leaves the order of a cross join as it is written.
    .crossJoin('completions')
    .whereRef('completions.seq', '=', 'walked.completion_seq');
  return select(walked, slotList(slot, example, 'terms').slice(1));

  function select<Joined, Name extends keyof Joined>(
    query: SelectQueryBuilder<Joined, Name, object>,
    others: readonly string[],
  ) {
    return others.reduce(
      (filtered, term) => filtered.where(hasTerm(db, term)),
      query
        .select([
          sql<number>`completions.created_at`.as('created_at'),
          sql<number>`completions.seq`.as('seq'),
          sql<string>`completions.metadata`.as('metadata'),
          bodyOf(db, content).as('body'),
          sql<string>`${sql.raw(content === 'records' ? 'completions.messages' : "'[]'")}`.as('messages'),
        ])
        .where(sql<boolean>`completions.project_id = ${slot('project_id')}`)
        .limit(slot('limit')),
    );
  }
}

function bodyOf(db: QueryBuilder, content: CompletionPageValues['content']) {
  const summary = db
    .selectFrom('completion_summaries')
    .select('completion_summaries.body')
    .where(sql<boolean>`completion_summaries.completion_seq = completions.seq`);
  return content === 'summaries' ? sql<string>`${summary}` : sql<string>`completions.body`;
}

/** Not `exists`, which PostgreSQL may convert to a join that starts with this term and reads all of it. */
function hasTerm(db: QueryBuilder, term: string) {
  const entry = db
    .selectFrom('completion_terms as other')
    .select('other.completion_seq')
    .where(sql<boolean>`other.completion_seq = completions.seq`)
    .where('other.term', '=', term);
  return sql<boolean>`${entry} is not null`;
}

/** The entries of a term in page order, from the cursor to the end. */
function walk(
  db: QueryBuilder,
  slot: Slots<WalkValues>,
  { index, cursor, order, end }: WalkRange & { readonly index: number },
) {
  const term = slot(({ terms }) => terms[index] ?? '');
  let query = db
    .selectFrom('completion_terms as walked')
    .where('walked.term', '=', term)
    .orderBy('walked.created_at', order)
    .orderBy('walked.completion_seq', order);
  if (end !== undefined) {
    const time = slot((values) => values.end ?? 0);
    query = query.where('walked.created_at', order === 'asc' ? '<' : '>=', time);
  }
  if (!cursor) return query;
  const created = slot((values) => values.cursor?.created_at ?? 0);
  const seq = slot((values) => values.cursor?.seq ?? 0);
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('walked.created_at', 'walked.completion_seq'), order === 'asc' ? '>' : '<', tuple(created, seq)),
  );
}
