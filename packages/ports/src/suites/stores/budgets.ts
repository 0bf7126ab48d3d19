import { describe, expect, test } from 'vitest';
import type { BudgetDemand, BudgetRecord, BudgetState, BudgetSubject } from '../../budget-store.ts';
import { BudgetLimitsError } from '../../budget-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

let recordCount = 0;

export function budgetRecord(subject: BudgetSubject, init: Partial<BudgetRecord> = {}): BudgetRecord {
  return {
    id: `budget_suite_${++recordCount}`,
    subject,
    unit: 'tokens',
    period: 'month',
    softLimit: null,
    hardLimit: 100,
    created: 1_700_000_000,
    ...init,
  };
}

const subject = (): BudgetSubject => ({ kind: 'project', id: `budgeted ${++recordCount}` });
const both = (amount: number) => ({ tokens: amount, cost: amount });

function demand(subjects: readonly BudgetSubject[], amount: number, init: Partial<BudgetDemand> = {}): BudgetDemand {
  return {
    id: `reservation ${++recordCount}`,
    subjects,
    max: both(amount),
    minToAdmit: both(amount),
    ttlMs: 3_600_000,
    ...init,
  };
}

export function describeBudgets(open: () => Promise<StoresUnderTest>): void {
  describe('budgets', () => {
    const { stores } = openStores(open);
    const addBudget = async (init: Partial<BudgetRecord> = {}) => {
      const budgetSubject = subject();
      const budget = budgetRecord(budgetSubject, init);
      await stores().budgets.add(budget);
      return { budgetSubject, budget };
    };
    const stateOf = async (id: string): Promise<BudgetState> => {
      const state = await stores().budgets.get(id);
      if (!state) throw new Error('no such budget');
      return state;
    };

    test('settle and reserve any amount, and stay readable', async () => {
      const { budgetSubject, budget } = await addBudget({ hardLimit: null });
      const huge = Number.MAX_SAFE_INTEGER;
      const { budgets } = stores();
      // More than 64 bits together.
      const demands = Array.from({ length: 1100 }, () => demand([budgetSubject], huge, { minToAdmit: both(1) }));
      await Promise.all(demands.map((each) => budgets.reserve(each)));
      expect(await stateOf(budget.id)).toMatchObject({ spent: 0, reserved: huge });
      for (const used of [huge, huge, 1e300, 5]) {
        await budgets.settle({ id: 'none', subjects: [budgetSubject], used: both(used) });
      }
      expect(await stateOf(budget.id)).toMatchObject({ spent: huge });
      await budgets.reset(budget.id);
      await budgets.settle({ id: 'none', subjects: [budgetSubject], used: both(Number.NaN) });
      await budgets.settle({ id: 'none', subjects: [budgetSubject], used: both(2) });
      expect(await stateOf(budget.id)).toMatchObject({ spent: 2 });
    });

    test('are found by their subjects with the bounds of the current period, in UTC', async () => {
      const [a, b] = [subject(), { kind: 'key', id: `key ${recordCount}` } as const];
      const daily = budgetRecord(a, { period: 'day', softLimit: 5, hardLimit: null });
      const monthly = budgetRecord(b, { unit: 'cost' });
      await stores().budgets.add(daily);
      await stores().budgets.add(monthly);
      const now = new Date();
      const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) / 1000;
      const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / 1000;
      const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000;
      const isAnnounced = { soft: false, hard: false };
      const empty = { overrideLimit: null, spent: 0, reserved: 0, isAnnounced };
      const states = [
        { ...daily, ...empty, periodStart: day, resetsAt: day + 86_400 },
        { ...monthly, ...empty, periodStart: month, resetsAt: nextMonth },
      ];
      expect(await stores().budgets.list([b, a])).toEqual(states);
      expect(await stores().budgets.list([a])).toEqual(states.slice(0, 1));
      expect(await stores().budgets.list([])).toEqual([]);
      expect(await stores().budgets.list([{ kind: 'key', id: a.id }])).toEqual([]);
      expect((await stores().budgets.list()).slice(-2)).toEqual(states);
      expect(await stores().budgets.get(monthly.id)).toEqual(states[1]);
      expect(await stores().budgets.get('budget_none')).toBeUndefined();
    });

    test('reserve up to the hard limit, and count what was settled instead of what was reserved', async () => {
      const { budgetSubject, budget } = await addBudget();
      const first = demand([budgetSubject], 60);
      expect(await stores().budgets.reserve(first)).toMatchObject({
        refusedBy: undefined,
        budgets: [{ reserved: 60 }],
      });
      const refused = await stores().budgets.reserve(demand([budgetSubject], 41));
      expect(refused).toMatchObject({ refusedBy: { id: budget.id, reserved: 60 }, budgets: [{ reserved: 60 }] });
      expect(
        await stores().budgets.settle({ id: first.id, subjects: [budgetSubject], used: { tokens: 25, cost: 7 } }),
      ).toMatchObject([{ spent: 25, reserved: 0 }]);
      expect(await stores().budgets.reserve(demand([budgetSubject], 75))).toMatchObject({ refusedBy: undefined });
      expect(await stateOf(budget.id)).toMatchObject({ spent: 25, reserved: 75 });
    });

    test('reserve what is left, if that is enough', async () => {
      const { budgetSubject, budget } = await addBudget();
      await stores().budgets.settle({ id: 'x', subjects: [budgetSubject], used: both(70) });
      const init = { max: both(50), minToAdmit: both(30) };
      expect(await stores().budgets.reserve(demand([budgetSubject], 0, init))).toMatchObject({
        budgets: [{ reserved: 30 }],
      });
      expect((await stores().budgets.reserve(demand([budgetSubject], 0, init))).refusedBy?.id).toBe(budget.id);
    });

    test('are reserved from all together or none, each in its unit', async () => {
      const [project, key] = [subject(), { kind: 'key', id: `key ${recordCount}` } as const];
      const tokens = budgetRecord(project);
      const cost = budgetRecord(key, { unit: 'cost', hardLimit: 10 });
      await stores().budgets.add(tokens);
      await stores().budgets.add(cost);
      const amount = { tokens: 50, cost: 6 };
      const init = { max: amount, minToAdmit: amount };
      await stores().budgets.reserve(demand([project, key], 0, init));
      expect((await stores().budgets.reserve(demand([project, key], 0, init))).refusedBy?.id).toBe(cost.id);
      expect(await stateOf(tokens.id)).toMatchObject({ reserved: 50 });
      expect(await stateOf(cost.id)).toMatchObject({ reserved: 6 });
    });

    test('without a hard limit refuse nothing', async () => {
      const { budgetSubject } = await addBudget({ hardLimit: null, softLimit: 1 });
      expect(await stores().budgets.reserve(demand([budgetSubject], 1000))).toMatchObject({
        refusedBy: undefined,
        budgets: [{ reserved: 1000 }],
      });
    });

    test('do not count expired reservations; amounts settled by them still count', async () => {
      const { budgetSubject, budget } = await addBudget();
      const expired = demand([budgetSubject], 100, { ttlMs: 0 });
      await stores().budgets.reserve(expired);
      expect(await stores().budgets.reserve(demand([budgetSubject], 60))).toMatchObject({ refusedBy: undefined });
      await stores().removeExpired({ completionsBefore: undefined, now: 0, limit: 100 });
      await stores().budgets.settle({ id: expired.id, subjects: [budgetSubject], used: both(80) });
      expect(await stateOf(budget.id)).toMatchObject({ spent: 80, reserved: 60 });
    });

    test('keep reservations that are renewed', async () => {
      const { budgetSubject, budget } = await addBudget();
      const short = demand([budgetSubject], 100, { ttlMs: 0 });
      await stores().budgets.reserve(short);
      await stores().budgets.renew([short.id, 'none'], 3_600_000);
      expect(await stateOf(budget.id)).toMatchObject({ reserved: 100 });
    });

    test('change, are overridden for the period, reset and deleted', async () => {
      const { budgetSubject, budget } = await addBudget({ softLimit: 10 });
      await stores().budgets.settle({ id: 'x', subjects: [budgetSubject], used: both(90) });
      expect(await stores().budgets.update(budget.id, { softLimit: null, hardLimit: 50 })).toMatchObject({
        softLimit: null,
        hardLimit: 50,
        spent: 90,
      });
      expect((await stores().budgets.reserve(demand([budgetSubject], 1))).refusedBy?.id).toBe(budget.id);
      expect(await stores().budgets.update(budget.id, { overrideLimit: 200 })).toMatchObject({
        hardLimit: 50,
        overrideLimit: 200,
      });
      expect(await stores().budgets.reserve(demand([budgetSubject], 110))).toMatchObject({ refusedBy: undefined });
      expect(await stores().budgets.update(budget.id, {})).toMatchObject({ overrideLimit: 200 });
      expect(await stores().budgets.reset(budget.id)).toMatchObject({ spent: 0, reserved: 110, overrideLimit: 200 });
      expect(await stores().budgets.delete(budget.id)).toBe(true);
      expect(await stores().budgets.delete(budget.id)).toBe(false);
      expect(await stores().budgets.list([budgetSubject])).toEqual([]);
      expect(await stores().budgets.update(budget.id, { hardLimit: 1 })).toBeUndefined();
      expect(await stores().budgets.reset(budget.id)).toBeUndefined();
      expect(await stores().budgets.reserve(demand([budgetSubject], 1000))).toEqual({
        refusedBy: undefined,
        budgets: [],
      });
    });

    test('keep their soft limit at or below their hard limit when both are changed concurrently', async () => {
      const { budget } = await addBudget({ softLimit: null, hardLimit: 1000 });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          stores().budgets.update(budget.id, index % 2 ? { softLimit: 900 } : { hardLimit: 100 }),
        ),
      );
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      // All that set the limit which was set second.
      expect(reasons).toHaveLength(10);
      for (const reason of reasons) expect(reason).toBeInstanceOf(BudgetLimitsError);
      const { softLimit, hardLimit } = await stateOf(budget.id);
      expect([
        [900, 1000],
        [null, 100],
      ]).toContainEqual([softLimit, hardLimit]);
    });

    test('whose soft limit is above the hard limit can have other fields changed', async () => {
      const { budget } = await addBudget({ softLimit: 200, hardLimit: 100 });
      expect(await stores().budgets.update(budget.id, { overrideLimit: 50 })).toMatchObject({ overrideLimit: 50 });
      await expect(stores().budgets.update(budget.id, { hardLimit: 150 })).rejects.toBeInstanceOf(BudgetLimitsError);
      expect(await stores().budgets.update(budget.id, { softLimit: null })).toMatchObject({ softLimit: null });
    });

    test('are not exceeded by concurrent reservations', async () => {
      const [project, key] = [subject(), { kind: 'key', id: `key ${recordCount}` } as const];
      const projectBudget = budgetRecord(project, { hardLimit: 1000 });
      const ofKey = budgetRecord(key, { hardLimit: 2000 });
      await stores().budgets.add(projectBudget);
      await stores().budgets.add(ofKey);
      const admitted = await Promise.all(
        Array.from({ length: 64 }, async (_, index) => {
          const subjects = index % 2 ? [project, key] : [key, project];
          const one = demand(subjects, 30);
          const { refusedBy } = await stores().budgets.reserve(one);
          if (refusedBy) return 0;
          await stores().budgets.settle({ id: one.id, subjects, used: both(30) });
          return 30;
        }),
      );
      const spent = admitted.reduce<number>((sum, amount) => sum + amount, 0);
      expect(spent).toBeLessThanOrEqual(1000);
      expect(spent).toBeGreaterThanOrEqual(30 * 16);
      expect(await stateOf(projectBudget.id)).toMatchObject({ spent, reserved: 0 });
      expect(await stateOf(ofKey.id)).toMatchObject({ spent, reserved: 0 });
    });

    test('report their changes to listeners before they resolve', async () => {
      let changes = 0;
      stores().budgets.onChange?.(() => changes++);
      const budget = budgetRecord(subject());
      await stores().budgets.add(budget);
      expect(changes).toBe(1);
      await stores().budgets.delete(budget.id);
      expect(changes).toBe(2);
    });
  });
}
