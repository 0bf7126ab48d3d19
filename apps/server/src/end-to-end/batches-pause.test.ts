import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test, vi } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

const patient = { timeout: 60_000, interval: 20 };

test('the log says when a batch waits for a budget, for which one and until when, and when it continues', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ batchRetryDelayMs: 50 }));
  const server = await startProcess(cwd, { MODELWIRE_API_KEYS: '', MODELWIRE_LOG_LEVEL: 'info' });
  const adminKey = readFileSync(join(cwd, '.modelwire', 'api-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const url = `${server.url}/v1/organization/${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { readonly id: string; readonly value: string };
  };
  const entries = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"a batch '))
      .map((line) => JSON.parse(line) as object);

  const { id: project } = await post('projects', { name: 'shop' });
  const { value: key } = await post(`projects/${project}/api_keys`, { name: 'test' });
  const client = clientOf(server.url, key);
  const { id: budget } = await post('budgets', { project_id: project, unit: 'tokens', period: 'day', hard_limit: 1 });
  const lines = ['a', 'b'].map((id) => inputLine(id, { max_completion_tokens: 5 }));
  const { id: batch } = await createBatch(client, lines);
  const tomorrow = /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/;
  const paused = {
    ...{ level: 'warn', batch, project, budget },
    until: expect.stringMatching(tomorrow) as string,
    msg: 'a batch waits: its budget is spent',
  };
  await vi.waitFor(() => expect(entries()).toMatchObject([paused]), patient);
  // Several retries later.
  const retries = () => server.log().split('"error":"insufficient_quota"').length;
  await vi.waitFor(() => expect(retries()).toBeGreaterThan(8), patient);
  expect(entries()).toHaveLength(1);

  await post(`budgets/${budget}`, { hard_limit: 1_000_000 });
  const isCompleted = async () => expect((await client.batches.retrieve(batch)).status).toBe('completed');
  await vi.waitFor(isCompleted, patient);
  const resumed = {
    ...{ level: 'info', batch, project, budget },
    msg: 'a batch continues: its budget has enough left again',
  };
  await vi.waitFor(() => expect(entries()).toMatchObject([paused, resumed]), patient);
}, 120_000);
