import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset, DatasetComparison, DatasetRerun } from '@modelwire/schema/types';
import type OpenAI from 'openai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, linesOf } from '../testing/batch-input.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

const completions = 40;
/** Returns each line after a while, so that the server is killed between two lines. */
const slowly = `
  const { createInterface } = require('node:readline');
  (async () => {
    for await (const line of createInterface({ input: process.stdin })) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      console.log(line);
    }
  })();`;

test(
  'a dataset whose server is killed is complete after a restart, and exists once',
  { timeout: 120_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-dataset-crash-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const redaction = { command: process.execPath, args: ['-e', slowly] };
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ redaction, jobLeaseMs: 1000 }));
    const first = await startProcess(cwd);
    const messages = [{ role: 'user', content: 'Hello' }] as const;
    for (let n = 0; n < completions; n++)
      await clientOf(first.url).chat.completions.create({
        model: 'simulator',
        messages: [...messages],
        seed: n,
        store: true,
      });
    const body = { format: 'evaluation', deduplicate: false };
    const line = { custom_id: 'dataset', method: 'POST', url: '/v1/datasets', body };
    const { id } = await createBatch(clientOf(first.url), [line], '/v1/datasets' as '/v1/embeddings');
    await vi.waitFor(
      async () => expect((await clientOf(first.url).batches.retrieve(id)).status).toBe('in_progress'),
      60_000,
    );
    await sleep(500);
    first.kill('SIGKILL');
    await first.exited;

    const second = await startProcess(cwd);
    const client = clientOf(second.url);
    const batch = await vi.waitFor(
      async () => {
        const found = await client.batches.retrieve(id);
        expect(found.status).toBe('completed');
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
    const [result] = await linesOf(client, batch.output_file_id);
    const dataset = result?.response?.body as unknown as Dataset;
    expect(dataset).toMatchObject({ redacted: true, counts: { completions, lines: completions } });
    expect((await client.files.list({ purpose: 'dataset' })).data.map((file) => file.id)).toEqual([dataset.id]);
    expect((await client.files.list({ purpose: 'evals' })).data).toHaveLength(1);
  },
);

const compareEndpoint = '/v1/datasets/compare' as '/v1/embeddings';

/** Resolves to the batch as soon as it has this status. */
const batchWith = (client: OpenAI, id: string, status: OpenAI.Batch['status']): Promise<OpenAI.Batch> =>
  vi.waitFor(
    async () => {
      const found = await client.batches.retrieve(id);
      expect(found.status).toBe(status);
      return found;
    },
    { timeout: 60_000, interval: 50 },
  );

/** The batches that a batch has started, once this many of their requests have ended. */
const startedBy = (client: OpenAI, id: string, minEnded: number): Promise<readonly OpenAI.Batch[]> =>
  vi.waitFor(
    async () => {
      const all = (await client.batches.list({ limit: 100 })).data;
      const started = all.filter(({ metadata }) => metadata?.['modelwire_started_by'] === id);
      expect(started.reduce((sum, batch) => sum + (batch.request_counts?.completed ?? 0), 0)).toBeGreaterThan(minEnded);
      return started;
    },
    { timeout: 60_000, interval: 50 },
  );

test(
  'a comparison whose server is killed while its judge runs continues after a restart, and is cancelled with its batches',
  { timeout: 180_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-comparison-crash-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const config = { simulator: { firstTokenDelayMs: 100 }, batchConcurrency: 2, jobLeaseMs: 1000 };
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
    const first = await startProcess(cwd);
    const before = clientOf(first.url);
    const store = { model: 'simulator', store: true } as const;
    await Promise.all(
      Array.from({ length: completions }, (_, n) =>
        before.chat.completions.create({ ...store, messages: [{ role: 'user', content: `Hello ${n}` }] }),
      ),
    );
    const { id: dataset } = await before.post<Dataset>('/datasets', { body: { format: 'evaluation' } });
    const requests = await before.post<Dataset>('/datasets', { body: { format: 'batch', dataset } });
    const rerun = await before.batches.create({
      input_file_id: requests.files[0]?.file_id ?? '',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    await batchWith(before, rerun.id, 'completed');
    const scorers = [{ type: 'judge', model: 'simulator', criteria: 'It is short.' }];
    const body = { dataset, candidate_batch_ids: [rerun.id], scorers };
    const line = { custom_id: 'comparison', method: 'POST', url: compareEndpoint, body };
    const { id } = await createBatch(before, [line], compareEndpoint);
    const [judging] = await startedBy(before, id, 5);
    first.kill('SIGKILL');
    await first.exited;

    const second = await startProcess(cwd);
    const client = clientOf(second.url);
    const { output_file_id } = await batchWith(client, id, 'completed');
    const [result] = await linesOf(client, output_file_id);
    const comparison = result?.response?.body as unknown as DatasetComparison;
    expect(comparison).toMatchObject({ counts: { cases: completions }, scorers: [{ scored: completions }] });
    expect((await startedBy(client, id, 5)).map((batch) => batch.id)).toEqual([judging?.id]);
    expect((await client.files.list({ purpose: 'comparison' })).data.map((file) => file.id)).toEqual([comparison.id]);

    const cancelled = await createBatch(client, [line], compareEndpoint);
    const [started] = await startedBy(client, cancelled.id, 2);
    await client.batches.cancel(cancelled.id);
    await batchWith(client, cancelled.id, 'cancelled');
    const { request_counts } = await batchWith(client, started?.id ?? '', 'cancelled');
    expect(request_counts?.completed).toBeLessThan(2 * completions);
    expect((await client.files.list({ purpose: 'comparison' })).data).toHaveLength(1);
  },
);

test(
  'a rerun whose server is killed at several times runs each request once, and exists once',
  { timeout: 180_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-rerun-crash-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const config = { simulator: { firstTokenDelayMs: 100 }, batchConcurrency: 2, jobLeaseMs: 1000 };
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
    const first = await startProcess(cwd);
    const before = clientOf(first.url);
    const store = { model: 'simulator', store: true } as const;
    await Promise.all(
      Array.from({ length: completions }, (_, n) =>
        before.chat.completions.create({ ...store, messages: [{ role: 'user', content: `Hello ${n}` }] }),
      ),
    );
    const { id: dataset } = await before.post<Dataset>('/datasets', { body: { format: 'evaluation' } });
    const { id } = await before.post<DatasetRerun>('/datasets/rerun', { body: { dataset, name: 'again' } });
    // Before its batch is validated.
    first.kill('SIGKILL');
    await first.exited;

    const second = await startProcess(cwd);
    const [running] = await startedBy(clientOf(second.url), id, 5);
    second.kill('SIGKILL');
    await second.exited;

    const third = await startProcess(cwd);
    const client = clientOf(third.url);
    const { output_file_id, input_file_id } = await batchWith(client, id, 'completed');
    const [result] = await linesOf(client, output_file_id);
    const { batch_ids } = result?.response?.body as unknown as DatasetRerun;
    const started = await startedBy(client, id, completions - 1);
    expect([batch_ids, started.map((batch) => batch.id)]).toEqual([[running?.id], [running?.id]]);
    expect(started[0]?.request_counts).toEqual({ total: completions, completed: completions, failed: 0 });
    const replies = await linesOf(client, started[0]?.output_file_id);
    expect(new Set(replies.map((line) => line.custom_id)).size).toBe(completions);
    const inputs = (await client.files.list({ purpose: 'batch' })).data.map((file) => file.id);
    expect(inputs).toEqual([running?.input_file_id, input_file_id]);
  },
);
