import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const maxTokens = 5;
const lines = ['a', 'b', 'c'].map((id) => inputLine(id, { max_completion_tokens: maxTokens }));
const pollOptions = { timeout: 60_000 };

describe.each(['SQLite', 'PostgreSQL'])('on %s', (database) => {
  let url: string | undefined;
  let server: TestServer;
  let admin: string;

  async function startServer(config: Config): Promise<void> {
    server = await startTestServer({ ...(url !== undefined && { database: url }), batchRetryDelayMs: 50, ...config });
    admin = await server.makeKey({ role: 'admin', project: 'operators' });
  }
  async function call(path: string, body: object = {}): Promise<{ readonly id: string }> {
    const response = await fetch(`${server.url}/v1/organization/budgets${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { readonly id: string };
  }

  /** A batch of three lines in a project whose budget has room for one. */
  async function startBatch(project: string) {
    const client = clientOf(server.url, await server.makeKey({ project }));
    const messages = [{ role: 'user' as const, content: 'Repeat: a' }];
    const request = { model: 'simulator', temperature: 0, messages, max_completion_tokens: maxTokens };
    const { usage } = await client.chat.completions.create(request);
    if (!usage) throw new Error('the response has no usage');
    const hard_limit = usage.prompt_tokens + maxTokens + usage.total_tokens - 1;
    const budget = await call('', { project_id: project, unit: 'tokens', period: 'month', hard_limit });
    const batch = await createBatch(client, lines);
    return { client, budget, batch };
  }
  const countsOf = async (client: OpenAI, { id }: OpenAI.Batch) => {
    const { status, request_counts } = await client.batches.retrieve(id);
    return { status, ...request_counts };
  };

  beforeAll(async () => {
    if (database === 'PostgreSQL') url = await createDatabase();
  }, 120_000);

  describe('lines of a batch that the budget refuses', () => {
    beforeAll(() => startServer({}), 120_000);
    afterAll(() => server.stop());

    const resumptions: readonly [string, (budget: string) => unknown][] = [
      ['an override', (budget) => call(`/${budget}`, { override_limit: 1_000_000 })],
      ['a reset', (budget) => call(`/${budget}/reset`).then(() => call(`/${budget}`, { hard_limit: 1_000_000 }))],
      ['the end of the period', endPeriods],
    ];
    /** Sets the start of the current period of all budgets to long ago. One reset is sufficient for one line, so it is repeated. */
    function endPeriods(): void {
      const db = new DatabaseSync(join(server.data, 'modelwire.sqlite'), { timeout: 10_000 });
      db.exec('update budgets set period_start = 0');
      db.close();
    }

    test.each(resumptions.slice(0, database === 'SQLite' ? 3 : 2))('wait until %s', async (name, resume) => {
      const { client, budget, batch } = await startBatch(`project after ${name}`);
      await expect
        .poll(() => countsOf(client, batch), pollOptions)
        .toEqual({ status: 'in_progress', total: 3, completed: 1, failed: 0 });
      await resume(budget.id);
      await expect
        .poll(async () => {
          if (resume === endPeriods) endPeriods();
          return countsOf(client, batch);
        }, pollOptions)
        .toEqual({ status: 'completed', total: 3, completed: 3, failed: 0 });
    });
  });

  describe('with batchBudgetExceeded: fail, lines of a batch that the budget refuses', () => {
    beforeAll(() => startServer({ batchBudgetExceeded: 'fail' }), 120_000);
    afterAll(() => server.stop());

    test('fail with insufficient_quota, and the others succeed', async () => {
      const { client, batch } = await startBatch('failing');
      await expect
        .poll(() => countsOf(client, batch), pollOptions)
        .toEqual({ status: 'completed', total: 3, completed: 1, failed: 2 });
      const { error_file_id } = await client.batches.retrieve(batch.id);
      const failed = await linesOf(client, error_file_id);
      expect(failed.map(({ response }) => [response?.status_code, response?.body])).toEqual(
        [1, 2].map(() => [429, { error: expect.objectContaining({ code: 'insufficient_quota' }) as unknown }]),
      );
    });
  });
});
