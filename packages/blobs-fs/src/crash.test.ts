import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { collected } from '@modelwire/ports/testing';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

const rounds = 6;

/** Writes in another process, and kills it `lives` milliseconds after its first output. */
async function killed(path: string, list: string, lives: number): Promise<void> {
  const script = new URL('./testing/writer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, path, list], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  const closed = once(child, 'close');
  await vi.waitUntil(async () => (await readFile(list, 'utf8').catch(() => '')) !== '', {
    timeout: 60_000,
    interval: 5,
  });
  await sleep(lives);
  child.kill('SIGKILL');
  await closed;
}

test(
  'acknowledged writes of two processes are complete after kill -9, partial writes are never readable and are removed later',
  { timeout: 600_000 },
  async () => {
    const folder = await testFolder();
    const path = join(folder, 'bytes');
    const lists = Array.from({ length: rounds }, (_, round) => [`${round}a`, `${round}b`] as const);
    for (const pair of lists) {
      await Promise.all(pair.map((name) => killed(path, join(folder, name), Math.random() * 80)));
    }
    const said = await Promise.all(lists.flat().map((name) => readFile(join(folder, name), 'utf8')));
    const acknowledged = said.flatMap((text) => text.split('\n').slice(0, -1));
    expect(acknowledged.length).toBeGreaterThanOrEqual(2 * rounds);

    // Some processes were killed while they wrote: otherwise this test would show nothing.
    expect(await readdir(join(path, 'unfinished'))).not.toHaveLength(0);
    const blobs = await openFsBlobs({ path, abandonedAfterMs: 0 });
    expect(await readdir(join(path, 'unfinished'))).toHaveLength(0);

    const names = await readdir(path, { recursive: true });
    const keys = names.flatMap((name) => /blob_.+/.exec(name) ?? []);
    expect(keys).toEqual(expect.arrayContaining(acknowledged));
    for (const key of keys) {
      const { buffer } = await collected(blobs.read(key));
      const numbers = new Float64Array(buffer);
      expect(numbers.every((number) => number === numbers.length)).toBe(true);
      expect(numbers.length).toBeGreaterThan(0);
    }
    await blobs.close();
  },
);
