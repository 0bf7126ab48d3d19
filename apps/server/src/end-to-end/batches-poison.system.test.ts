import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingConfig, countingUpstream } from '../testing/counting-upstream.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

const lines = 100;
const poisoned = 'line-37';
const pollOptions = { timeout: 60_000, interval: 50 };

test(
  'a line that crashes the server fails after three crashes during which it ran alone, and all other lines are processed',
  { timeout: 300_000 },
  async () => {
    const upstream = await countingUpstream(2);
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-poison-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const config = countingConfig(upstream, { batchConcurrency: 8, jobLeaseMs: 1000 });
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
    let server: ServerProcess | undefined;
    let crashes = 0;
    upstream.onRequest = (prompt) => {
      if (prompt !== `Repeat: ${poisoned}`) return;
      crashes++;
      server?.kill('SIGKILL');
    };
    const started = async (): Promise<ServerProcess> => {
      server = await startProcess(cwd);
      // The server is ready before it resumes the line that may crash it again.
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      return server;
    };
    const names = Array.from({ length: lines }, (_, n) => `line-${n}`);
    const first = await started();
    const { id } = await createBatch(
      clientOf(first.url),
      names.map((name) => inputLine(name, { model: 'counted' })),
    );
    // The line runs with others during the first crash.
    for (let crash = 1; crash <= 4; crash++) {
      await server?.exited;
      expect(crashes).toBe(crash);
      await started();
    }
    const client = clientOf(server?.url ?? '');
    await expect.poll(async () => (await client.batches.retrieve(id)).status, pollOptions).toBe('completed');
    const done = await client.batches.retrieve(id);
    expect(done.request_counts).toEqual({ total: lines, completed: lines - 1, failed: 1 });
    expect(await linesOf(client, done.error_file_id)).toMatchObject([
      { custom_id: poisoned, response: null, error: { code: 'worker_crashed' } },
    ]);
    const output = await linesOf(client, done.output_file_id);
    expect(output.map(({ custom_id }) => custom_id)).toEqual(names.filter((name) => name !== poisoned));
    expect(crashes).toBe(4);
  },
);
