import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { checkEvents, createInBackground, waitForEnd, reply, slowSimulator } from '../testing/background-responses.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = { simulator: slowSimulator, jobLeaseMs: 1000 };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  return cwd;
}

test(
  `after ${kills} kills at random times every background response has ended, complete or failed with a code`,
  { timeout: (kills + 2) * 60_000 },
  async () => {
    const cwd = folder();
    const created: { readonly id: string; readonly isStreamed: boolean }[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const server = await startProcess(cwd);
      const client = clientOf(server.url);
      const creations = Array.from({ length: 4 }, async (_, index) => {
        const isStreamed = index % 2 === 0;
        const id = await createInBackground(client, isStreamed);
        if (id !== undefined) created.push({ id, isStreamed });
      });
      await Promise.race([Promise.all(creations), sleep(5000)]);
      await sleep(Math.random() * 1500);
      server.kill('SIGKILL');
      await server.exited;
      await Promise.all(creations);
    }
    const server = await startProcess(cwd);
    const client = clientOf(server.url);
    const statuses = new Map<string, number>();
    for (const { id, isStreamed } of created) {
      const response = await waitForEnd(client, id, 60_000 + kills * 5000);
      statuses.set(response.status ?? '', (statuses.get(response.status ?? '') ?? 0) + 1);
      if (response.status === 'completed') expect(response.output_text).toBe(reply);
      else expect(response).toMatchObject({ status: 'failed', error: { code: 'worker_crashed' } });
      if (isStreamed) await checkEvents(server.url, response);
    }
    expect(created.length).toBeGreaterThanOrEqual(kills);
    if (process.env['FIGURES'] === '1') {
      process.stdout.write(`${kills} kills, ${created.length} responses: ${JSON.stringify([...statuses])}\n`);
    }
    server.kill('SIGKILL');
    await server.exited;
  },
);
