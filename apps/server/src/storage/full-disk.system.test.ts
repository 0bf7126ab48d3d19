import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import { waitForCompletion, contentOf, declared, file, full } from '../testing/disk.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { canMount, mountOver, smallDisk } from '../testing/small-disk.ts';
import { unaccountedBlobs } from '../testing/unaccounted-blobs.ts';

/** A database may have some unused space of its own. */
async function expectEventualRefusal(call: () => Promise<unknown>): Promise<void> {
  const outcome = () =>
    call().then(
      () => 'taken',
      (error: unknown) => error,
    );
  await expect.poll(outcome, { timeout: 60_000, interval: 1 }).toMatchObject(full);
}

/** The program in its own folder; files of its data folder must be put there before. */
function folder(config: object = {}): { readonly cwd: string; readonly data: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-disk-'));
  const data = join(cwd, '.modelwire');
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(data);
  const own = { moderation: false, videos: false, jobLeaseMs: 2000 };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ ...own, ...config }));
  return { cwd, data };
}

// Only where mounting is allowed: a real full disk.
describe.skipIf(!canMount)('a data folder on a full disk', () => {
  test('refuses writes with a 507, serves reads, and recovers', async () => {
    const { cwd, data } = folder();
    const disk = smallDisk(data, 48);
    const server = await startProcess(cwd);
    const client = clientOf(server.url);
    const [first, second] = [randomBytes(3_000_000), randomBytes(3_000_000)];
    const { id } = await client.uploads.create({ ...declared, bytes: first.length + second.length });
    const storedPart = await client.uploads.parts.create(id, { data: await file(first) });
    const whole = await client.files.create({ file: await file(first), purpose: 'user_data' });
    const chat = (store: boolean) =>
      client.chat.completions.create({ model: 'simulator', store, messages: [{ role: 'user', content: 'Hi' }] });
    const { id: stored } = await chat(true);

    // There is space for rows, not for blobs.
    disk.fill(2_000_000);
    await expect(client.uploads.parts.create(id, { data: await file(second) })).rejects.toMatchObject(full);
    await expect(client.files.create({ file: await file(second), purpose: 'user_data' })).rejects.toMatchObject(full);
    // There is no space for rows either: the database is full.
    disk.fill();
    await expect(client.files.create({ file: await file(first), purpose: 'user_data' })).rejects.toMatchObject(full);
    await expectEventualRefusal(() => client.uploads.create({ ...declared, bytes: 1 }));
    await expectEventualRefusal(() => chat(true));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    // Requests that store nothing succeed.
    expect((await chat(false)).object).toBe('chat.completion');
    expect((await contentOf(client, whole.id)).equals(first)).toBe(true);
    expect((await client.files.list()).data.map((one) => one.id)).toEqual([whole.id]);

    // Deletions through the API still free space.
    expect((await client.files.delete(whole.id)).deleted).toBe(true);
    expect((await client.chat.completions.delete(stored)).deleted).toBe(true);
    await expectEventualRefusal(() => chat(true));

    disk.empty();
    const last = await client.uploads.parts.create(id, { data: await file(second) });
    const done = await client.uploads.complete(id, { part_ids: [storedPart.id, last.id] });
    expect((await contentOf(client, done.file?.id)).equals(Buffer.concat([first, second]))).toBe(true);
    await expect
      .poll(
        () =>
          chat(true).then(
            () => 'kept',
            () => 'refused',
          ),
        { timeout: 60_000 },
      )
      .toBe('kept');
    server.kill('SIGKILL');
    await server.exited;
    expect(await unaccountedBlobs(data)).toEqual([]);
  }, 600_000);

  test('pauses a batch without losing or repeating lines', async () => {
    const upstream = await countingUpstream(2);
    const { cwd, data } = folder({
      simulator: false,
      upstreams: [{ baseURL: upstream.baseURL, name: 'counting' }],
      models: { counted: {} },
      batchConcurrency: 8,
    });
    const disk = smallDisk(data, 48);
    const server = await startProcess(cwd);
    const client = clientOf(server.url);
    const names = Array.from({ length: 3000 }, (_, n) => `line ${n}`);
    const { id } = await createBatch(
      client,
      names.map((name) => inputLine(name, { model: 'counted' })),
    );
    await expect.poll(() => upstream.requestCounts.size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(100);
    for (let time = 0; time < 2; time++) {
      disk.fill();
      const before = (await client.batches.retrieve(id)).request_counts?.completed ?? 0;
      // It is paused: nothing is counted that is not stored.
      await expectEventualRefusal(() => client.uploads.create({ ...declared, bytes: 1 }));
      expect((await client.batches.retrieve(id)).status).not.toBe('completed');
      disk.empty();
      const counted = async () => (await client.batches.retrieve(id)).request_counts?.completed ?? 0;
      await expect.poll(counted, { timeout: 60_000, interval: 20 }).toBeGreaterThan(Math.min(before + 50, 2999));
    }
    const { output_file_id, request_counts } = await waitForCompletion(client, id);
    expect(request_counts).toEqual({ total: 3000, completed: 3000, failed: 0 });
    expect((await linesOf(client, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
    server.kill('SIGKILL');
    await server.exited;
    expect(await unaccountedBlobs(data)).toEqual([]);
  }, 600_000);
});

describe.skipIf(!canMount)('a read-only data folder', () => {
  test('refuses file contents with a 503 until it is writable', async () => {
    const { cwd, data } = folder();
    const server = await startProcess(cwd);
    const client = clientOf(server.url);
    const stored = await client.files.create({ file: await file(Buffer.from('kept')), purpose: 'user_data' });
    const blobs = join(data, 'blobs');
    const unmount = mountOver(['--bind', '-o', 'ro'], blobs, blobs);
    const refused = client.files.create({ file: await file(Buffer.from('x')), purpose: 'user_data' });
    await expect(refused).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'cannot write file contents',
    });
    expect((await contentOf(client, stored.id)).toString()).toBe('kept');
    unmount();
    const created = await client.files.create({ file: await file(Buffer.from('now')), purpose: 'user_data' });
    expect((await contentOf(client, created.id)).toString()).toBe('now');
  }, 600_000);

  test('fails at startup with a message', async () => {
    const { cwd, data } = folder();
    mountOver(['--bind', '-o', 'ro'], data, data);
    await expect(startProcess(cwd)).rejects.toThrow(`cannot use the folder ${data}`);
  }, 600_000);
});
