import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  checkEvents,
  createInBackground,
  waitForEnd,
  eventsOf,
  reply,
  slowSimulator,
} from '../testing/background-responses.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);

/** A function that starts a replica on the database, in a folder of its own; call it again after the replica was killed. */
function prepareReplica(database: string): () => Promise<ServerProcess> {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-replica-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = { simulator: slowSimulator, jobLeaseMs: 1000, database };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  return () => startProcess(cwd);
}

test(
  `after ${kills} kills of two replicas every background response has ended, and its events have no gap`,
  { timeout: (kills + 3) * 60_000 },
  async () => {
    const database = await createDatabase();
    const starts = [prepareReplica(database), prepareReplica(database)];
    const running = await Promise.all(starts.map((start) => start()));
    const created: { readonly id: string; readonly isStreamed: boolean }[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const creations = Array.from({ length: 4 }, async (_, index) => {
        const isStreamed = index % 2 === 0;
        const { url } = running[index < 2 ? 0 : 1] ?? { url: '' };
        const id = await createInBackground(clientOf(url), isStreamed);
        if (id !== undefined) created.push({ id, isStreamed });
      });
      await Promise.race([Promise.all(creations), sleep(5000)]);
      await sleep(Math.random() * 1500);
      const killedIndex = kill % 2;
      running[killedIndex]?.kill('SIGKILL');
      await running[killedIndex]?.exited;
      await Promise.all(creations);
      const restarted = await starts[killedIndex]?.();
      if (restarted) running[killedIndex] = restarted;
    }
    const [one, other] = running;
    if (!one || !other) throw new Error('a replica is missing');
    const statuses = new Map<string, number>();
    for (const { id, isStreamed } of created) {
      const response = await waitForEnd(clientOf(one.url), id, 60_000 + kills * 5000);
      statuses.set(response.status ?? '', (statuses.get(response.status ?? '') ?? 0) + 1);
      if (response.status === 'completed') expect(response.output_text).toBe(reply);
      else expect(response).toMatchObject({ status: 'failed', error: { code: 'worker_crashed' } });
      if (!isStreamed) continue;
      await checkEvents(one.url, response);
      expect(await eventsOf(other.url, id)).toEqual(await eventsOf(one.url, id));
    }
    expect(created.length).toBeGreaterThanOrEqual(kills);
    if (process.env['FIGURES'] === '1') {
      process.stdout.write(`${kills} kills, ${created.length} responses: ${JSON.stringify([...statuses])}\n`);
    }
  },
);
