import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test, vi } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const patient = { timeout: 60_000, interval: 20 };

test('the log says when a batch waits for a budget, for which one and until when, and when it continues', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ batchRetryDelayMs: 50 }));
  const server = await startProcess(cwd, { MODELWIRE_LOG_LEVEL: 'info' });
  const createKey = (...args: readonly string[]) => {
    const text = execFileSync(process.execPath, [main, 'keys', 'create', ...args, '--json'], { cwd, encoding: 'utf8' });
    return (JSON.parse(text) as { readonly key: string }).key;
  };
  const headers = {
    authorization: `Bearer ${createKey('--role=admin')}`,
    'content-type': 'application/json',
  };
  const change = async (path: string, body: object) => {
    const url = `${server.url}/v1/organization/budgets${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { readonly id: string };
  };
  const entries = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"a batch '))
      .map((line) => JSON.parse(line) as object);

  const client = clientOf(server.url, createKey('--project=shop'));
  const { id: budget } = await change('', { project_id: 'shop', unit: 'tokens', period: 'day', hard_limit: 1 });
  const lines = ['a', 'b'].map((id) => inputLine(id, { max_completion_tokens: 5 }));
  const { id: batch } = await createBatch(client, lines);
  const tomorrow = /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/;
  const paused = {
    ...{ level: 'warn', batch, project: 'shop', budget },
    until: expect.stringMatching(tomorrow) as string,
    msg: 'a batch waits: its budget is spent',
  };
  await vi.waitFor(() => expect(entries()).toMatchObject([paused]), patient);
  // Several retries later.
  const retries = () => server.log().split('"error":"insufficient_quota"').length;
  await vi.waitFor(() => expect(retries()).toBeGreaterThan(8), patient);
  expect(entries()).toHaveLength(1);

  await change(`/${budget}`, { hard_limit: 1_000_000 });
  const isCompleted = async () => expect((await client.batches.retrieve(batch)).status).toBe('completed');
  await vi.waitFor(isCompleted, patient);
  const resumed = {
    ...{ level: 'info', batch, project: 'shop', budget },
    msg: 'a batch continues: its budget has enough left again',
  };
  await vi.waitFor(() => expect(entries()).toMatchObject([paused, resumed]), patient);
}, 120_000);
