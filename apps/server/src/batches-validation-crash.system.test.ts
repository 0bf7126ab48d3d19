import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createBatch, inputLine } from './testing/batch-input.ts';
import { startProcess } from './testing/process.ts';
import { clientOf } from './testing/test-server.ts';

const lines = 4000;
const kills = 8;

test(
  `a server that is killed ${kills} times while it validates a batch of ${lines} lines completes the batch`,
  { timeout: 300_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-validation-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    // Short, so that each server takes over the batch of the one before it.
    const config = { simulator: true, jobLeaseMs: 300 };
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
    // Long lines, so that validation takes a while.
    // Validation takes longer than a lease, and the lines run fast.
    const messages = [{ role: 'user', content: 'x'.repeat(5000) }];
    const input = Array.from({ length: lines }, (_, n) => inputLine(`line-${n}`, { messages, max_tokens: 1 }));
    let server = await startProcess(cwd);
    const { id } = await createBatch(clientOf(server.url), input);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(Math.random() * 1200);
      server.kill('SIGKILL');
      await server.exited;
      server = await startProcess(cwd);
    }
    const { batches } = clientOf(server.url);
    await expect
      .poll(async () => (await batches.retrieve(id)).status, { timeout: 200_000, interval: 200 })
      .toMatch(/completed|failed/);
    expect(await batches.retrieve(id)).toMatchObject({
      status: 'completed',
      request_counts: { total: lines, completed: lines, failed: 0 },
      errors: null,
    });
  },
);
