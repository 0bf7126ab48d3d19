import { PostgresAdapter, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { toCount } from '@modelwire/adapter-kit/internal';
import type { BudgetAmount, BudgetLimit, BudgetSubject } from '@modelwire/ports';
import { asBigint, asText } from '../query/casts.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import type { ById } from '../query/record-key.ts';
import { deleteOldest, insertRow, updateById } from '../query/rows.ts';
import { saturate } from '../query/saturate.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

interface OfSubjects {
  readonly subjects: readonly BudgetSubject[];
}
interface Reserving extends OfSubjects {
  readonly id: string;
  readonly max: BudgetAmount;
  readonly minToAdmit: BudgetAmount;
  readonly ttlMs: number;
}
interface Settling extends OfSubjects {
  readonly used: BudgetAmount;
}

const shapeOf = ({ subjects }: OfSubjects): string => String(subjects.length);

export function budgetQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const { start, end } = periodBounds(db);
  const sumOf = saturatingSum(db);
  const isCurrent = sql<boolean>`period_start >= ${start}`;
  const spentNow = sql<number>`case when ${isCurrent} then spent else 0 end`;
  const overrideNow = sql<number | null>`case when ${isCurrent} then override_limit end`;

  /** Budgets as they stand in the current period. */
  const states = () =>
    db
      .selectFrom('budgets')
      .select(['seq', 'id', 'subject_kind', 'subject_id', 'unit', 'period', 'soft_limit', 'hard_limit', 'created_at'])
      .select([overrideNow.as('override_limit'), spentNow.as('spent'), start.as('period_start'), end.as('resets_at')])
      .select(['soft_announced_period', 'hard_announced_period'])
      .select(({ selectFrom, fn }) =>
        fn
          .coalesce(
            selectFrom('budget_reservations')
              .select(sumOf('amount').as('sum'))
              .whereRef('budget_reservations.budget_id', '=', 'budgets.id')
              .where('budget_reservations.expires_at_ms', '>', clock),
            sql<number>`0`,
          )
          .as('reserved'),
      );

  const isOf = (slot: Slots<OfSubjects>, { subjects }: OfSubjects): RawBuilder<boolean> =>
    sql<boolean>`(${sql.join(
      subjects.map((_, index) => {
        const kind = slot((v: OfSubjects) => toStored(v.subjects[index]?.kind ?? ''));
        const id = slot((v: OfSubjects) => toStored(v.subjects[index]?.id ?? ''));
        return sql`(subject_kind = ${kind} and subject_id = ${id})`;
      }),
      sql` or `,
    )})`;

  const inPeriod = { override_limit: overrideNow, period_start: start };
  const update = (slot: Slots<ById>) => db.updateTable('budgets').where('id', '=', slot('id')).returning('seq');

  return {
    add: insertRow(db, 'budgets'),
    get: statement((slot: Slots<ById>) => states().where('id', '=', slot('id'))),
    all: statement(() => states().orderBy('seq')),
    list: statement((slot: Slots<OfSubjects>, example) => states().where(isOf(slot, example)).orderBy('seq'), shapeOf),

    /** Locks the budgets until the transaction ends, in the same order everywhere, so that replicas do not deadlock. */
    lock: statement(
      (slot: Slots<OfSubjects>, example) =>
        db.selectFrom('budgets').select('seq').where(isOf(slot, example)).orderBy('seq').forUpdate(),
      shapeOf,
    ),
    /** Reserves from all budgets, or from none when one has less than `minToAdmit` left. */
    reserve: statement((slot: Slots<Reserving>, example) => {
      const amount = (pick: (values: Reserving) => BudgetAmount) =>
        sql<number>`case when unit = 'tokens' then ${asBigint(slot((v) => toCount(pick(v).tokens)))} else ${asBigint(slot((v) => toCount(pick(v).cost)))} end`;
      const left = sql<number>`coalesce(override_limit, hard_limit) - spent - reserved`;
      const max = amount((v) => v.max);
      const short = db
        .selectFrom(states().where(isOf(slot, example)).as('other'))
        .select('other.seq')
        .where(sql<boolean>`${left} < ${amount((v) => v.minToAdmit)}`);
      return db
        .insertInto('budget_reservations')
        .columns(['reservation_id', 'budget_id', 'amount', 'expires_at_ms'])
        .expression(
          db
            .selectFrom(states().where(isOf(slot, example)).as('state'))
            .select([
              asText(slot((v) => toStored(v.id))).as('reservation'),
              'state.id',
              sql<number>`case when ${left} < ${max} then ${left} else ${max} end`.as('amount'),
              sql<number>`${clock} + ${asBigint(slot('ttlMs'))}`.as('expires_at_ms'),
            ])
            .where(({ exists, not }) => not(exists(short))),
        )
        .returning('budget_id');
    }, shapeOf),
    release: statement((slot: Slots<ById>) =>
      db.deleteFrom('budget_reservations').where('reservation_id', '=', slot('id')),
    ),
    releaseAll: statement((slot: Slots<ById>) =>
      db.deleteFrom('budget_reservations').where('budget_id', '=', slot('id')),
    ),
    renew: statement(
      (slot: Slots<{ readonly ids: readonly StoredText[]; readonly ttlMs: number }>, example) =>
        db
          .updateTable('budget_reservations')
          .set({ expires_at_ms: sql<number>`${clock} + ${asBigint(slot('ttlMs'))}` })
          .where('reservation_id', 'in', slotList(slot, example, 'ids')),
      ({ ids }) => String(ids.length),
    ),
    spend: statement(
      (slot: Slots<Settling>, example) =>
        db
          .updateTable('budgets')
          .set({
            spent: saturate(
              sql<number>`(${spentNow} + case when unit = 'tokens' then ${asBigint(slot((v) => toCount(v.used.tokens)))} else ${asBigint(slot((v) => toCount(v.used.cost)))} end)`,
            ),
            ...inPeriod,
          })
          .where(isOf(slot, example)),
      shapeOf,
    ),
    reset: statement((slot: Slots<ById>) =>
      update(slot).set({ spent: 0, ...inPeriod, soft_announced_period: 0, hard_announced_period: 0 }),
    ),
    /** Returns a row the first time that it is run in a period. */
    announce: statement(
      (slot: Slots<ById & { readonly limit: BudgetLimit; readonly periodStart: number }>, { limit }) => {
        const column = `${limit}_announced_period` as const;
        return update(slot)
          .set({ [column]: slot('periodStart') })
          .where(column, '<', slot('periodStart'));
      },
      ({ limit }) => limit,
    ),
    /** Moves a budget into the current period, so that what is written next applies to that. */
    enterPeriod: statement((slot: Slots<ById>) => update(slot).set({ spent: spentNow, ...inPeriod })),
    update: updateById(db, 'budgets'),
    /** Returns the budget unless its soft limit is above its hard limit. */
    hasLimitsInOrder: statement((slot: Slots<ById>) =>
      db
        .selectFrom('budgets')
        .select('seq')
        .where('id', '=', slot('id'))
        .where(({ eb, or, ref }) =>
          or([eb('soft_limit', 'is', null), eb('hard_limit', 'is', null), eb('soft_limit', '<=', ref('hard_limit'))]),
        ),
    ),
    delete: statement((slot: Slots<ById>) => db.deleteFrom('budgets').where('id', '=', slot('id')).returning('seq')),
  };
}

/** Deletes reservations that have expired: those of the oldest requests, of each all. */
export function expiredReservations(db: QueryBuilder) {
  return deleteOldest(db, 'budget_reservations', {
    key: 'reservation_id',
    time: 'expires_at_ms',
    isByDatabaseClock: true,
  });
}

/** A sum of at most `maxCount`: of SQLite's aggregates only `total` does not fail on an overflow, and of PostgreSQL `sum` never does. */
function saturatingSum(db: QueryBuilder): (column: string) => RawBuilder<number> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return (column) => {
    const sum = isPostgres ? sql<number>`sum(${sql.ref(column)})` : sql<number>`total(${sql.ref(column)})`;
    return sql<number>`cast(${saturate(sum)} as bigint)`;
  };
}

/** Start of the current period of a budget, and of the next, in Unix seconds by the clock of the database, in UTC. */
function periodBounds(db: QueryBuilder): { readonly start: RawBuilder<number>; readonly end: RawBuilder<number> } {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const start = sql`date_trunc(period, statement_timestamp() at time zone 'utc')`;
    return {
      start: sql<number>`extract(epoch from ${start} at time zone 'utc')::bigint`,
      end: sql<number>`extract(epoch from (${start} + ('1 ' || period)::interval) at time zone 'utc')::bigint`,
    };
  }
  return {
    start: sql<number>`case period when 'day' then unixepoch('now', 'start of day') else unixepoch('now', 'start of month') end`,
    end: sql<number>`case period when 'day' then unixepoch('now', 'start of day', '+1 day') else unixepoch('now', 'start of month', '+1 month') end`,
  };
}
