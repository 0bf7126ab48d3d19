import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contentOf, file, full } from '../testing/disk.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { canMount, smallDisk } from '../testing/small-disk.ts';
import type { SmallDisk } from '../testing/small-disk.ts';

const pollOptions = { timeout: 120_000, interval: 5 };

/** A PostgreSQL server whose data folder is a separate disk. */
async function postgresOnSmallDisk(): Promise<{ readonly postgres: PostgresServer; readonly disk: SmallDisk }> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-postgres-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const disk = smallDisk(folder, 256);
  // It creates its data folder in the folder of temporary files.
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const postgres = await startPostgres();
  vi.unstubAllEnvs();
  onTestFinished(() => postgres.discard());
  return { postgres, disk };
}

async function served({ url }: PostgresServer) {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-disk-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(
    join(cwd, 'modelwire.config.json'),
    JSON.stringify({ moderation: false, videos: false, database: url }),
  );
  const server = await startProcess(cwd);
  const client = clientOf(server.url);
  const chat = (store: boolean, text = 'Hi') =>
    client.chat.completions.create({ model: 'simulator', store, messages: [{ role: 'user', content: text }] });
  const outcome = () =>
    chat(true, 'word '.repeat(500)).then(
      () => 'stored',
      (error: unknown) => error,
    );
  return { client, chat, outcome };
}

// Only where mounting is allowed: a real full disk.
describe.skipIf(!canMount)('PostgreSQL whose disk is full', () => {
  test('creations get a 507, reads and deletions work, and creations work again when there is space', async () => {
    const { postgres, disk } = await postgresOnSmallDisk();
    const { client, chat, outcome } = await served(postgres);
    const bytes = Buffer.from('content');
    const { id } = await client.files.create({ file: await file(bytes), purpose: 'user_data' });
    const { id: stored } = await chat(true);
    disk.fill();
    // The existing pages of a table have space for some more rows.
    await expect.poll(outcome, pollOptions).toMatchObject(full);
    expect((await chat(false)).object).toBe('chat.completion');
    expect((await client.chat.completions.retrieve(stored)).id).toBe(stored);
    expect((await contentOf(client, id)).equals(bytes)).toBe(true);
    expect((await client.chat.completions.delete(stored)).deleted).toBe(true);
    expect((await client.files.delete(id)).deleted).toBe(true);
    disk.empty();
    await expect.poll(outcome, pollOptions).toBe('stored');
  }, 600_000);
});
