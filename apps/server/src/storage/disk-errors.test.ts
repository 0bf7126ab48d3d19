import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { endpoint, inputLine, linesOf, upload } from '../testing/batch-input.ts';
import { waitForCompletion, contentOf, declared, file, full } from '../testing/disk.ts';
import { startTestServer } from '../testing/test-server.ts';

describe('a disk without space for file contents', () => {
  afterEach(() => vi.restoreAllMocks());

  test('returns 507 for files and parts, pauses batches, and keeps everything acknowledged', async () => {
    const handle = await open(import.meta.filename);
    const handles = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const server = await startTestServer({ moderation: false, videos: false });
    onTestFinished(() => server.stop());
    const { client } = server;
    const [first, second] = [randomBytes(100_000), randomBytes(100_000)];
    const { id } = await client.uploads.create({ ...declared, bytes: first.length + second.length });
    const storedPart = await client.uploads.parts.create(id, { data: await file(first) });
    const spied = vi.spyOn(handles, 'write').mockRejectedValue(Object.assign(new Error('no'), { code: 'ENOSPC' }));
    await expect(client.uploads.parts.create(id, { data: await file(second) })).rejects.toMatchObject(full);
    await expect(client.files.create({ file: await file(second), purpose: 'user_data' })).rejects.toMatchObject(full);
    // The lines of the batch have results, its output cannot be written.
    spied.mockRestore();
    const input = Array.from({ length: 20 }, (_, n) => inputLine(`line ${n}`));
    const input_file_id = await upload(client, input);
    const again = vi.spyOn(handles, 'write').mockRejectedValue(Object.assign(new Error('no'), { code: 'ENOSPC' }));
    const { id: batch } = await client.batches.create({ input_file_id, endpoint, completion_window: '24h' });
    await expect.poll(() => again.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect((await client.batches.retrieve(batch)).status).toBe('finalizing');
    again.mockRestore();
    const { output_file_id } = await waitForCompletion(client, batch);
    expect(await linesOf(client, output_file_id)).toHaveLength(20);
    const last = await client.uploads.parts.create(id, { data: await file(second) });
    const done = await client.uploads.complete(id, { part_ids: [storedPart.id, last.id] });
    expect((await contentOf(client, done.file?.id)).equals(Buffer.concat([first, second]))).toBe(true);
  }, 600_000);
});
