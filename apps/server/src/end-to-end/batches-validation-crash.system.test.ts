import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

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
    const db = new DatabaseSync(join(cwd, '.modelwire', 'modelwire.sqlite'), { readOnly: true, timeout: 10_000 });
    onTestFinished(() => db.close());
    const job = db.prepare('select attempts, notes, lease_token from jobs where id = ?');
    const batch = db.prepare('select status from batches where id = ?');
    for (let kill = 0; kill < kills; kill++) {
      // Each kill meets another part of the input: after a crash, the notes of the job say which part is validated.
      let parts = 0;
      let notes: unknown;
      await vi.waitUntil(
        () => {
          const row = job.get(id);
          if (row?.['lease_token'] === null || Number(row?.['attempts']) <= kill) return false;
          if (row?.['notes'] !== notes) parts++;
          notes = row?.['notes'];
          return parts > kill;
        },
        { timeout: 60_000, interval: 1 },
      );
      expect(batch.get(id)).toEqual({ status: 'validating' });
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
