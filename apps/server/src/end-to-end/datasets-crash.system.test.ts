import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset } from '@modelwire/schema/types';
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
