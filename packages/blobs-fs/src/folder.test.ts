import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const hourMs = 3_600_000;

test('creates files and folders that only this user can access', async () => {
  const path = join(await testFolder(), 'a/b');
  const blobs = await openFsBlobs({ path });
  await blobs.write(blobKey(), generated(10));
  for (const name of await readdir(path, { recursive: true })) {
    expect(await mode(join(path, name))).toBe(name.includes('blob_') ? '600' : '700');
  }
  for (const folder of [path, join(path, '..')]) expect(await mode(folder)).toBe('700');
  await blobs.close();
});

test('keeps the permissions of an existing folder, including one behind a symbolic link', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'there'));
  await chmod(join(folder, 'there'), 0o750);
  await symlink('there', join(folder, 'link'));
  const blobs = await openFsBlobs({ path: join(folder, 'link') });
  const key = blobKey();
  await blobs.write(key, generated(10));
  expect(await collected(blobs.read(key))).toHaveLength(10);
  expect(await mode(join(folder, 'there'))).toBe('750');
  await blobs.close();
});

test('distributes keys over subfolders', async () => {
  const path = await testFolder();
  const blobs = await openFsBlobs({ path });
  await Promise.all(Array.from({ length: 300 }, () => blobs.write(blobKey(), generated(1))));
  const folders = (await readdir(path)).filter((name) => name !== 'unfinished');
  // 300 keys in 256 folders use 177 of them on average, and practically never fewer than 100.
  expect(folders.length).toBeGreaterThan(100);
  for (const name of folders) expect(name).toMatch(/^[0-9a-f]{2}$/);
  await blobs.close();
});

test('opening removes partial files of dead processes and keeps those that a live process is writing', async () => {
  const path = await testFolder();
  const first = await openFsBlobs({ path });
  const key = blobKey();
  const unfinished = join(path, 'unfinished');
  let goOn: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  async function* slow() {
    yield* generated(600_000);
    await waiting;
    yield* generated(1);
  }
  const writing = first.write(key, slow());
  await expect.poll(() => readdir(unfinished)).toHaveLength(1);

  await (await openFsBlobs({ path })).close();
  expect(await readdir(unfinished)).toHaveLength(1);
  goOn?.();
  expect(await writing).toBe(600_001);

  await first.close();

  const dead = join(unfinished, `${blobKey()}.0123456789abcdef`);
  await writeFile(dead, 'half');
  await (await openFsBlobs({ path })).close();
  expect(await readdir(unfinished)).toHaveLength(1);
  const longAgo = new Date(Date.now() - 25 * hourMs);
  await utimes(dead, longAgo, longAgo);
  await (await openFsBlobs({ path })).close();
  expect(await readdir(unfinished)).toEqual([]);
});

test('running processes remove the partial files of a process that crashed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = await testFolder();
  const blobs = await openFsBlobs({ path });
  const dead = join(path, 'unfinished', `${blobKey()}.0123456789abcdef`);
  await writeFile(dead, 'half');
  const longAgo = new Date(Date.now() - 25 * hourMs);
  await utimes(dead, longAgo, longAgo);
  vi.advanceTimersByTime(hourMs);
  await expect.poll(() => readdir(join(path, 'unfinished'))).toEqual([]);
  await blobs.close();
  expect(vi.getTimerCount()).toBe(0);
});
