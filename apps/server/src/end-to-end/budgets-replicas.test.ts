import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../testing/postgres-database.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let replicas: readonly TestServer[];
beforeAll(async () => {
  // One after the other: the first migrates the database.
  const config = { database: await createDatabase(), prices: { models: { simulator: { input: 0.15, output: 0.6 } } } };
  replicas = [await startTestServer(config), await startTestServer(config)];
}, 120_000);
afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

function replicaAt(index: number): TestServer {
  const found = replicas[index % replicas.length];
  if (!found) throw new Error('no replica');
  return found;
}

test('64 concurrent callers of two replicas do not exceed a hard limit of tokens', async () => {
  const hardLimit = 2000;
  const key = await replicaAt(0).makeKey({ project: 'shared' });
  const { budgets } = replicaAt(0).stores;
  const subject = { kind: 'project', id: 'shared' } as const;
  const budget = {
    id: 'budget_shared',
    subject,
    unit: 'tokens',
    period: 'month',
    softLimit: null,
    created: 1,
  } as const;
  await budgets.add({ ...budget, hardLimit });
  const used = await Promise.all(
    Array.from({ length: 64 }, async (_, caller) => {
      const { chat } = clientOf(replicaAt(caller).url, key);
      let sum = 0;
      for (let request = 0; request < 6; request++) {
        const messages = [{ role: 'user' as const, content: `Tell me of river ${caller}` }];
        try {
          const { usage } = await chat.completions.create({ model: 'simulator', messages, max_completion_tokens: 10 });
          sum += usage?.total_tokens ?? 0;
        } catch (error) {
          expect(error).toMatchObject({ status: 429, code: 'insufficient_quota' });
        }
      }
      return sum;
    }),
  );
  const total = used.reduce((sum, one) => sum + one, 0);
  await expect
    .poll(() => budgets.get('budget_shared'), { timeout: 20_000 })
    .toMatchObject({ spent: total, reserved: 0 });
  expect(total).toBeLessThanOrEqual(hardLimit);
  // No request is refused while the budget is sufficient for it.
  expect(total).toBeGreaterThan(hardLimit - 100);
}, 120_000);

test('the cost of 1,000 settled requests of two replicas is exact', async () => {
  const subject = { kind: 'key', id: 'key_paying' } as const;
  const budget = { id: 'budget_paying', subject, unit: 'cost', period: 'month', softLimit: null, created: 1 } as const;
  await replicaAt(0).stores.budgets.add({ ...budget, hardLimit: null });
  let expected = 0;
  for (let from = 0; from < 1000; from += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const cost = ((from + index) * 7919) % 100_003;
        expected += cost;
        const used = { tokens: 1, cost };
        return replicaAt(index).stores.budgets.settle({ id: `r ${from + index}`, subjects: [subject], used });
      }),
    );
  }
  expect((await replicaAt(1).stores.budgets.get('budget_paying'))?.spent).toBe(expected);
}, 120_000);
