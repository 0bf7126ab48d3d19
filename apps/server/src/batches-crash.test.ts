import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from './testing/batch-input.ts';
import { countingUpstream } from './testing/counting-upstream.ts';
import type { CountingUpstream } from './testing/counting-upstream.ts';
import { startProcess } from './testing/process.ts';
import type { ServerProcess } from './testing/process.ts';
import { clientOf } from './testing/serve.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 5);
const lines = 2000;

function folder(upstream: CountingUpstream): string {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = {
    simulator: false,
    upstreams: [{ baseURL: upstream.baseURL, name: 'counting' }],
    models: { counted: {} },
    batchConcurrency: 8,
    jobLeaseMs: 500,
  };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  return cwd;
}

/** The lines that have an answer to stay, and how the batch is; read where no server runs. */
async function left(cwd: string, id: string) {
  const stores = await openSqliteStores({ path: join(cwd, '.modelwire', 'modelwire.sqlite') });
  const { batches } = stores.project('default');
  const record = await batches.get(id);
  const answered = await batches.answeredLines(id);
  await stores.close();
  return { status: record?.batch.status, counts: record?.batch.request_counts, answered };
}

/** Bytes that neither a file keeps nor anybody would remove. */
async function unaccounted(cwd: string): Promise<string[]> {
  const stores = await openSqliteStores({ path: join(cwd, '.modelwire', 'modelwire.sqlite') });
  const { files } = stores.project('default');
  const now = Date.now() + 2 * 86_400_000;
  const known = new Set(await stores.ledger.due({ now, limit: 1000 }));
  const page = await files.list({ limit: 1000, order: 'asc', now: 0 });
  for (const { id } of page?.items ?? []) for (const { key } of (await files.get(id))?.content ?? []) known.add(key);
  await stores.close();
  const names = readdirSync(join(cwd, '.modelwire', 'blobs'), { recursive: true, encoding: 'utf8' }).map((path) =>
    basename(path),
  );
  return names.filter((one) => one.startsWith('blob_') && !known.has(one));
}

test(
  `after ${kills} kills at random instants each line of a batch has one answer, and none that was kept is asked again`,
  { timeout: kills * 60_000 },
  async () => {
    const upstream = await countingUpstream(2);
    const cwd = folder(upstream);
    const paidTwice: string[] = [];
    let batch = 0;
    let current: string | undefined;
    const name = (line: number): string => `batch-${batch} line-${line}`;
    const prompt = (line: number): string => `Repeat: ${name(line)}`;

    async function create({ url }: ServerProcess): Promise<void> {
      batch++;
      const input = Array.from({ length: lines }, (_, n) => inputLine(name(n), { model: 'counted' }));
      current = (await createBatch(clientOf(url), input)).id;
    }
    /** At the end: one answer for each line, in one file, the counts right, no job left. */
    async function check({ url }: ServerProcess, id: string): Promise<void> {
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
      expect(output.map(({ custom_id }) => custom_id)).toEqual(Array.from({ length: lines }, (_, n) => name(n)));
      expect(output.map(({ response }) => response?.body.choices[0]?.message.content)).toEqual(
        Array.from({ length: lines }, (_, n) => prompt(n)),
      );
      expect(new Set(output.map((line) => line.id)).size).toBe(lines);
      const files = await client.files.list({ purpose: 'batch_output' });
      expect(files.data.filter(({ filename }) => filename.startsWith(id))).toHaveLength(1);
      current = undefined;
    }

    for (let kill = 0; kill < kills; kill++) {
      const server = await startProcess(cwd);
      if (current === undefined) await create(server);
      const id = current ?? '';
      setTimeout(() => server.kill('SIGKILL'), Math.random() ** 2 * 1500);
      await server.gone;
      const { status, counts, answered } = await left(cwd, id);
      if (status === 'completed') {
        current = id;
        const again = await startProcess(cwd);
        await check(again, id);
        again.kill('SIGKILL');
        await again.gone;
      } else if (status !== 'validating') expect(counts?.completed).toBe(answered.length);
      // Each of these is paid for: whoever asks it again is told here.
      const kept = new Set(answered.map(prompt));
      upstream.onAsk = (asked) => {
        if (kept.has(asked)) paidTwice.push(asked);
      };
    }
    const server = await startProcess(cwd);
    if (current !== undefined) await check(server, current);
    // What was asked twice was at work, or not yet kept, when a server died: a few lines for each kill.
    const twice = [...upstream.asked.values()].reduce((sum, count) => sum + count - 1, 0);
    expect(upstream.asked.size).toBe(batch * lines);
    expect(twice).toBeLessThanOrEqual(kills * 200);
    expect(paidTwice).toEqual([]);
    server.kill('SIGKILL');
    await server.gone;
    expect(await unaccounted(cwd)).toEqual([]);
  },
);
