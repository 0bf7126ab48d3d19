import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingConfig, countingUpstream } from '../testing/counting-upstream.ts';
import type { CountingUpstream } from '../testing/counting-upstream.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { unaccountedBlobs } from '../testing/unaccounted-blobs.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 6);
const lines = 2000;
const concurrency = 8;
/** Maximum lines of one batch between the call of an engine and the commit: a crash repeats no more than these. */
const between = 2 * concurrency;
const names = (batch: number): string[] => Array.from({ length: lines }, (_, line) => `batch-${batch} line-${line}`);
/** The states in which a server is killed, in turn. */
const states = ['validating', 'in_progress', 'finalizing'] as const;

function folder(upstream: CountingUpstream): string {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = countingConfig(upstream, { batchConcurrency: concurrency, jobLeaseMs: 1000 });
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  return cwd;
}

/** The lines with a stored result, and the batch; read while no server runs. */
async function readStoredState(cwd: string, id: string) {
  const stores = await openSqliteStores({ path: join(cwd, '.modelwire', 'modelwire.sqlite') });
  const { batches } = stores.project('default');
  const record = await batches.get(id);
  const answered = await batches.linesWithResults(id);
  await stores.close();
  return { status: record?.batch.status, counts: record?.batch.request_counts, answered };
}

/** Waits for a random moment of a state: while the input is read, while lines run, or while the files are written. */
async function waitForRandomMoment(state: (typeof states)[number], { url }: ServerProcess, id: string): Promise<void> {
  const { batches } = clientOf(url);
  if (state === 'validating') await sleep(Math.random() * 60);
  else {
    const later = state === 'in_progress' ? ['in_progress', 'finalizing', 'completed'] : ['finalizing', 'completed'];
    while (!later.includes((await batches.retrieve(id)).status)) await sleep(3);
    await sleep(Math.random() * (state === 'in_progress' ? 700 : 60));
  }
}

test(
  `after ${kills} kills at random times each batch line has one result, and stored results are not requested again`,
  { timeout: kills * 60_000 },
  async () => {
    const upstream = await countingUpstream(2);
    const cwd = folder(upstream);
    const requestedTwice: string[] = [];
    const open = new Map<string, number>();
    let batchCount = 0;
    const storedPrompts = new Set<string>();
    /** Since the server was started, and by those before it. */
    const requestedSinceStart = new Set<string>();
    const requestedBeforeRestart = new Set<string>();
    let lost = 0;
    let repeatedAfterKill = 0;
    /** By the same server: it was suspended for longer than its lease. */
    let repeatedBySameServer = 0;
    upstream.onRequest = (prompt) => {
      if (requestedSinceStart.has(prompt)) repeatedBySameServer++;
      else if (requestedBeforeRestart.has(prompt)) repeatedAfterKill++;
      requestedSinceStart.add(prompt);
      // Each of these costs an engine call.
      if (storedPrompts.has(prompt)) requestedTwice.push(prompt);
    };

    function onRestart(): void {
      for (const prompt of requestedSinceStart) requestedBeforeRestart.add(prompt);
      requestedSinceStart.clear();
    }
    async function create({ url }: ServerProcess): Promise<string> {
      const batch = ++batchCount;
      const input = names(batch).map((name) => inputLine(name, { model: 'counted' }));
      const { id } = await createBatch(clientOf(url), input);
      open.set(id, batch);
      return id;
    }
    /** At the end: one result for each line, in one file, and correct counts. */
    async function check({ url }: ServerProcess, id: string, batch: number): Promise<void> {
      const client = clientOf(url);
      const done = await vi.waitFor(
        async () => {
          const found = await client.batches.retrieve(id);
          expect(found.status).toBe('completed');
          return found;
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(done.request_counts).toEqual({ total: lines, completed: lines, failed: 0 });
      expect(done.usage?.total_tokens).toBe(3 * lines);
      const output = await linesOf(client, done.output_file_id);
      expect(output.map(({ custom_id }) => custom_id)).toEqual(names(batch));
      expect(output.map(({ response }) => response?.body.choices[0]?.message.content)).toEqual(
        names(batch).map((name) => `Repeat: ${name}`),
      );
      expect(new Set(output.map((line) => line.id)).size).toBe(lines);
      const files = await Array.fromAsync(client.files.list({ purpose: 'batch_output' }));
      expect(files.filter(({ filename }) => filename.startsWith(id))).toHaveLength(1);
    }

    for (let kill = 0; kill < kills; kill++) {
      const state = states[kill % states.length] ?? 'validating';
      onRestart();
      const server = await startProcess(cwd);
      const [current] = open.keys();
      const id = state === 'validating' || current === undefined ? await create(server) : current;
      await waitForRandomMoment(state, server, id);
      server.kill('SIGKILL');
      await server.exited;
      for (const [one, batch] of open) {
        const { counts, answered, status } = await readStoredState(cwd, one);
        if (status === 'completed') open.delete(one);
        else expect(counts?.completed).toBe(answered.length);
        const prompts = names(batch).map((name) => `Repeat: ${name}`);
        for (const line of status === 'completed' ? prompts.keys() : answered) storedPrompts.add(prompts[line] ?? '');
        const unkept = prompts.filter((prompt) => requestedSinceStart.has(prompt) && !storedPrompts.has(prompt)).length;
        expect(unkept).toBeLessThanOrEqual(between);
        lost += unkept;
      }
    }
    onRestart();
    const server = await startProcess(cwd);
    const { data } = await clientOf(server.url).batches.list({ limit: 100 });
    expect(data).toHaveLength(batchCount);
    for (const [index, { id }] of data.toReversed().entries()) await check(server, id, index + 1);
    expect(requestedTwice).toEqual([]);
    expect(upstream.requestCounts.size).toBe(batchCount * lines);
    // Repeated lines were running, or not yet stored, when a server died.
    expect(repeatedAfterKill).toBeLessThanOrEqual(lost);
    // A lost lease repeats no more lines than a kill.
    expect(repeatedBySameServer).toBeLessThanOrEqual(kills * between);
    if (process.env['FIGURES'] === '1')
      process.stdout.write(
        `${kills} kills, ${batchCount * lines} lines; asked again after a kill ${repeatedAfterKill}, otherwise ${repeatedBySameServer}\n`,
      );
    server.kill('SIGKILL');
    await server.exited;
    expect(await unaccountedBlobs(join(cwd, '.modelwire'))).toEqual([]);
  },
);
