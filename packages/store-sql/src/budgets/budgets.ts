import { budgetPeriods, budgetUnits } from '@modelwire/ports';
import type { BudgetRecord, BudgetState, BudgetStore } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import { auditStatements } from '../keys/audit.ts';
import { changeListeners } from '../keys/change-listeners.ts';
import { budgetQueries } from './budget-queries.ts';
import { inGroups } from '../query/groups.ts';
import type { StoreContext } from '../store-context.ts';
import { plain, recordCodec, text } from '../query/record-codec.ts';
import type { Statement } from '../query/statement.ts';
import type { Tables } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import { commit, expectRows, limitsInOrder } from '../database/transaction.ts';

interface BudgetRow extends Omit<Selectable<Tables['budgets']>, 'seq'> {
  readonly resets_at: number;
  readonly reserved: number;
}

const { toRow, fromRow } = recordCodec<Selectable<Tables['budgets']>, Omit<BudgetRecord, 'subject'>>()({
  id: text('id'),
  unit: { column: 'unit', store: toStored, load: (stored) => oneOf(budgetUnits, stored) },
  period: { column: 'period', store: toStored, load: (stored) => oneOf(budgetPeriods, stored) },
  softLimit: plain('soft_limit'),
  hardLimit: plain('hard_limit'),
  created: plain('created_at'),
});

export function budgetStore({ database, db, publish }: StoreContext): BudgetStore {
  const queries = budgetQueries(db);
  const audited = auditStatements(db);
  const { onChange, changed } = changeListeners();
  async function get(id: string): Promise<BudgetState | undefined> {
    const [row] = await database.read(queries.get({ id: toStored(id) }));
    return row && stateOf(row);
  }
  /** Runs statements on a budget that has to exist; returns it as it is then. */
  async function change(
    id: string,
    first: Statement<unknown>,
    ...others: readonly Statement<unknown>[]
  ): Promise<BudgetState | undefined> {
    const done = await commit(database, [expectRows(1, 'the budget exists', first), ...others]);
    await changed();
    return done ? get(id) : undefined;
  }
  return {
    async add(budget, audit) {
      const { kind, id } = budget.subject;
      const row = { ...toRow(budget), subject_kind: toStored(kind), subject_id: toStored(id) };
      await database.write([queries.add(row), ...audited(audit)]);
      await changed();
    },
    get,
    async list(subjects) {
      if (subjects?.length === 0) return [];
      const rows = await database.scan(subjects ? queries.list({ subjects }) : queries.all({}));
      return rows.map(stateOf);
    },
    async update(id, { softLimit, hardLimit, overrideLimit }, audit) {
      const set = {
        ...(softLimit !== undefined && { soft_limit: softLimit, soft_announced_period: 0 }),
        ...(hardLimit !== undefined && { hard_limit: hardLimit, hard_announced_period: 0 }),
        ...(overrideLimit !== undefined && { override_limit: overrideLimit, hard_announced_period: 0 }),
      };
      const key = { id: toStored(id) };
      const statements = Object.keys(set).length === 0 ? [] : [queries.update(key.id, set)];
      // After the update, which holds the lock of the row: a concurrent change of the other limit is seen.
      const checks =
        typeof softLimit === 'number' || typeof hardLimit === 'number'
          ? [expectRows(1, limitsInOrder, queries.hasLimitsInOrder(key))]
          : [];
      return change(id, queries.enterPeriod(key), ...statements, ...checks, ...audited(audit));
    },
    reset: (id, audit) => change(id, queries.reset({ id: toStored(id) }), ...audited(audit)),
    async delete(id, audit) {
      const deleted = await commit(database, [
        expectRows(1, 'the budget exists', queries.delete({ id: toStored(id) })),
        queries.releaseAll({ id: toStored(id) }),
        ...audited(audit),
      ]);
      await changed();
      return deleted;
    },
    async reserve(demand) {
      const { subjects, minToAdmit } = demand;
      if (subjects.length === 0) return { refusedBy: undefined, budgets: [] };
      const [, reserved, rows] = await database.write([
        queries.lock({ subjects }),
        queries.reserve(demand),
        queries.list({ subjects }),
      ]);
      const budgets = rows.map(stateOf);
      if (reserved.length > 0 || budgets.length === 0) return { refusedBy: undefined, budgets };
      const limited = budgets.filter((budget) => limitOf(budget) !== null);
      const refusedBy = limited.find((budget) => remainingOf(budget) < minToAdmit[budget.unit]) ?? limited[0];
      return { refusedBy, budgets };
    },
    async settle({ id, subjects, used }) {
      if (subjects.length === 0) return [];
      const [, , , rows] = await database.write([
        queries.lock({ subjects }),
        queries.release({ id: toStored(id) }),
        queries.spend({ subjects, used }),
        queries.list({ subjects }),
      ]);
      return rows.map(stateOf);
    },
    async announce({ id, periodStart }, limit, event) {
      return commit(database, [
        expectRows(1, 'it was not announced', queries.announce({ id: toStored(id), limit, periodStart })),
        ...publish(event),
      ]);
    },
    async renew(ids, ttlMs) {
      for (const group of inGroups(ids.map(toStored))) await database.write([queries.renew({ ids: group, ttlMs })]);
    },
    onChange,
  };
}

const limitOf = ({ overrideLimit, hardLimit }: BudgetState): number | null => overrideLimit ?? hardLimit;

function remainingOf(budget: BudgetState): number {
  return (limitOf(budget) ?? Infinity) - budget.spent - budget.reserved;
}

function stateOf(row: BudgetRow): BudgetState {
  return {
    ...fromRow(row),
    subject: { kind: oneOf(['key', 'project'] as const, row.subject_kind), id: fromStored(row.subject_id) },
    overrideLimit: row.override_limit,
    spent: row.spent,
    reserved: row.reserved,
    periodStart: row.period_start,
    resetsAt: row.resets_at,
    isAnnounced: {
      soft: row.soft_announced_period >= row.period_start,
      hard: row.hard_announced_period >= row.period_start,
    },
  };
}

function oneOf<const Value extends string>(values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new TypeError(`A budget has the value '${text}', which this program does not support.`);
  return found;
}
