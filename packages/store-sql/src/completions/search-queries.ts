import { sql } from 'kysely';
import { isPostgres } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { WalkRange } from './walk-range.ts';

/** Creates the statement that makes a completion findable. */
export function insertWords(db: QueryBuilder) {
  return statement((slot: Slots<RecordKey & { readonly words: string }>) => {
    const insert = db.insertInto('modelwire_completion_words');
    const completion = db.selectFrom('completions').where(matchesKey(slot));
    const words = slot('words');
    return isPostgres(db)
      ? insert
          .columns(['completion_seq', 'created_at', 'words'])
          .expression(completion.select(['seq', 'created_at', sql<string>`cast(${words} as tsvector)`.as('words')]))
      : insert
          .columns(['rowid', 'words'])
          .expression(
            completion.select([
              sql<number>`created_at << ${sql.lit(seqBits)} | seq`.as('rowid'),
              sql<string>`${words}`.as('words'),
            ]),
          );
  });
}

/** Bits of `seq` in the row IDs of the index of SQLite, which returns rows in their order only. The others are of `created_at`. */
const seqBits = 31;
const maxCreatedAt = 2 ** 32 - 1;

/** The completions that a search finds, in page order, from the cursor to the end. */
export function searchQuery(
  db: QueryBuilder,
  slot: Slots<WalkRange & { readonly search: string | undefined }>,
  { cursor, order, end }: WalkRange,
) {
  const search = slot((values) => values.search ?? '');
  const endTime = slot((values) => Math.min(values.end ?? 0, maxCreatedAt));
  const created = slot((values) => Math.min(values.cursor?.created_at ?? 0, maxCreatedAt));
  const seq = slot((values) => values.cursor?.seq ?? 0);
  const [beyond, within] = order === 'asc' ? (['>', '<'] as const) : (['<', '>='] as const);
  const words = db.selectFrom('modelwire_completion_words as walked').crossJoin('completions');
  if (isPostgres(db)) {
    let query = words
      .whereRef('completions.seq', '=', 'walked.completion_seq')
      .where(sql<boolean>`walked.words @@ cast(${search} as tsquery)`)
      .orderBy('walked.created_at', order)
      .orderBy('walked.completion_seq', order);
    if (end !== undefined) query = query.where('walked.created_at', within, endTime);
    if (!cursor) return query;
    return query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('walked.created_at', 'walked.completion_seq'), beyond, tuple(created, seq)),
    );
  }
  const seqMask = sql.lit(2 ** seqBits - 1);
  let query = words
    .where('completions.seq', '=', sql<number>`walked.rowid & ${seqMask}`)
    .where(sql<boolean>`walked.words match ${search}`)
    .orderBy('walked.rowid', order);
  if (end !== undefined) query = query.where('walked.rowid', within, sql<number>`(${endTime} << ${sql.lit(seqBits)})`);
  return cursor
    ? query.where('walked.rowid', beyond, sql<number>`(${created} << ${sql.lit(seqBits)} | ${seq})`)
    : query;
}
