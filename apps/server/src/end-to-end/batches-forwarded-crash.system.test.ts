import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@modelwire/batches';
import { expect, onTestFinished, test } from 'vitest';
import { inputLine, linesOf, upload } from '../testing/batch-input.ts';
import { countingConfig, countingUpstream } from '../testing/counting-upstream.ts';
import type { CountingUpstream } from '../testing/counting-upstream.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { useSharedStorage } from '../testing/shared-storage.ts';
import { clientOf, key } from '../testing/test-server.ts';

/** LINES=5000 KILLS=20 for a longer run. */
const lineCount = Number(process.env['LINES'] ?? 2000);
const kills = Number(process.env['KILLS'] ?? 6);
const storage = useSharedStorage();

/** A server of its own, with one model, that the replicas use as a provider. */
async function startProvider(upstream: CountingUpstream): Promise<ServerProcess> {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-provider-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(countingConfig(upstream, {})));
  return startProcess(cwd);
}

test(
  `while a batch is split over own capacity and a provider, ${kills} kills of either replica lose no line and bill none twice`,
  { timeout: 600_000 },
  async () => {
    const [own, atProvider] = await Promise.all([countingUpstream(20), countingUpstream(20)]);
    const provider = await startProvider(atProvider);
    const upstreams = [
      { name: 'own', baseURL: own.baseURL },
      { name: 'provider', baseURL: `${provider.url}/v1`, apiKey: key, batch: 'forward' },
    ];
    const start = () => storage.startProgram({ upstream: own, config: { upstreams, jobLeaseMs: 1000 } });
    const replicas = [await start(), await start()] as [ServerProcess, ServerProcess];
    const batchesAtProvider = async () => (await clientOf(provider.url).batches.list({ limit: 100 })).data;
    // Own capacity is so slow at first that it would run a part of the lines in the window.
    let isSlow = true;
    let nextAt = 0;
    own.onRequest = async () => {
      nextAt = Math.max(nextAt, Date.now()) + (2 * 3_600_000) / lineCount;
      while (isSlow && Date.now() < nextAt) await sleep(50);
    };

    const names = Array.from({ length: lineCount }, (_, n) => `line-${n}`);
    const input_file_id = await upload(
      clientOf(replicas[0].url),
      names.map((name) => inputLine(name, { model: 'counted' })),
    );
    const { create } = createBatches({ baseURL: `${replicas[0].url}/v1`, apiKey: key });
    const { id } = await create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '1h' });
    await expect
      .poll(async () => (await batchesAtProvider()).length, { timeout: 150_000, interval: 5 })
      .toBeGreaterThan(0);
    isSlow = false;
    for (let kill = 0; kill < kills; kill++) {
      const index = kill % 2 === 0 ? 0 : 1;
      replicas[index].kill('SIGKILL');
      await replicas[index].exited;
      replicas[index] = await start();
      await sleep(Math.random() * 3000);
    }

    const client = clientOf(replicas[0].url);
    await expect
      .poll(async () => (await client.batches.retrieve(id)).status, { timeout: 300_000, interval: 100 })
      .toBe('completed');
    const done = await client.batches.retrieve(id);
    expect(done.request_counts).toEqual({ total: lineCount, completed: lineCount, failed: 0 });
    expect(done.usage?.total_tokens).toBe(3 * lineCount);
    const output = await linesOf(client, done.output_file_id);
    expect(output.map(({ custom_id }) => custom_id)).toEqual(names);
    // Each line ran once at the provider, or not at all, and none also here.
    const billed = [...atProvider.requestCounts];
    expect(billed.filter(([, times]) => times > 1)).toEqual([]);
    expect(billed.length).toBeGreaterThan(lineCount / 10);
    expect(own.requestCounts.size).toBeGreaterThan(10);
    expect(billed.filter(([prompt]) => own.requestCounts.has(prompt))).toEqual([]);
    expect(billed.length + own.requestCounts.size).toBe(lineCount);
    const submitted = (await batchesAtProvider()).map(({ request_counts }) => request_counts?.total ?? 0);
    expect(submitted.reduce((sum, count) => sum + count, 0)).toBe(billed.length);
    expect((await clientOf(provider.url).files.list()).data).toEqual([]);
  },
);
