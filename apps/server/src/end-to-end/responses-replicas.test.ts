import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  checkEvents,
  createInBackground,
  waitForEnd,
  eventsOf,
  model,
  reply,
  slowSimulator,
} from '../testing/background-responses.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.discard());

/** A function that starts a replica on the common database, in a folder of its own; call it again after the replica was killed. */
function prepareReplica(config: object = {}): () => Promise<ServerProcess> {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-replica-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const all = { simulator: slowSimulator, jobLeaseMs: 1000, database: postgres.url, ...config };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(all));
  return () => startProcess(cwd);
}

test('a background response of one replica is streamed and retrieved at another', { timeout: 60_000 }, async () => {
  // The replica that creates the response runs no jobs.
  const [creating, working] = await Promise.all([prepareReplica({ worker: false })(), prepareReplica()()]);
  const events: ResponseStreamEvent[] = [];
  const stream = await clientOf(creating.url).responses.create({ model, input: 'Go', background: true, stream: true });
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  const [first] = events;
  if (first?.type !== 'response.created') throw new Error('the first event is not response.created');
  const response = await clientOf(working.url).responses.retrieve(first.response.id);
  expect(response.output_text).toBe(reply);
  await checkEvents(working.url, response);
  await checkEvents(creating.url, response);
});

test('a background response that runs at one replica is cancelled at another', { timeout: 60_000 }, async () => {
  const simulator = { ...slowSimulator, tokensPerSecond: 5 };
  const [cancelling, working] = await Promise.all([
    prepareReplica({ worker: false, simulator })(),
    prepareReplica({ simulator })(),
  ]);
  const client = clientOf(cancelling.url);
  const { id } = await client.responses.create({ model, input: 'Go', background: true });
  await vi.waitFor(async () => expect((await client.responses.retrieve(id)).status).toBe('in_progress'), {
    timeout: 20_000,
    interval: 50,
  });
  expect(await client.responses.cancel(id)).toMatchObject({ status: 'cancelled' });
  expect((await clientOf(working.url).responses.retrieve(id)).status).toBe('cancelled');
  // The worker that generated it claims another job: it has abandoned the first one.
  const next = await client.responses.create({ model, input: 'Go', background: true, stream: true });
  for await (const event of next) if (event.type === 'response.output_text.delta') break;
  expect((await client.responses.retrieve(id)).status).toBe('cancelled');
});

test(
  `after ${kills} kills of two replicas every background response has ended, and its events have no gap`,
  { timeout: (kills + 3) * 60_000 },
  async () => {
    const starts = [prepareReplica(), prepareReplica()];
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
