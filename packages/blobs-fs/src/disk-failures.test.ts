import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

const handle = await open(import.meta.filename);
const handles = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
afterEach(() => vi.restoreAllMocks());

const systemError = (code: string) => Object.assign(new Error(`${code}: said the system`), { code });

async function opened() {
  const path = await testFolder();
  return { path, blobs: await openFsBlobs({ path }) };
}

/** All files of the store, complete or partial. */
async function files(path: string): Promise<string[]> {
  return (await readdir(path, { recursive: true })).filter((name) => name.includes('blob_'));
}

const words = {
  ENOSPC: /disk is full/,
  EIO: /disk reported an error/,
  EDQUOT: /quota/,
  EROFS: /read-only/,
  EWEIRD: /EWEIRD/,
};

for (const [code, meaning] of Object.entries(words)) {
  test(`a write that fails with ${code} rejects with that cause, closes its source and leaves nothing`, async () => {
    const { path, blobs } = await opened();
    let writes = 0;
    const write = handles.write;
    vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, ...rest: unknown[]) {
      if (++writes === 3) return Promise.reject(systemError(code));
      return Reflect.apply(write, this, rest) as never;
    });
    const ended = vi.fn();
    async function* source() {
      try {
        yield* generated(1_000_000);
        // The disk failed long before: a source that never ends must not hide the error.
        await new Promise(() => undefined);
      } finally {
        ended();
      }
    }
    const bytes = source();
    const key = blobKey();
    const outcome = await blobs.write(key, bytes).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: 'FsBlobsError', code, message: expect.stringMatching(meaning) as string });
    expect(outcome).toMatchObject({ cause: { code }, noSpace: code === 'ENOSPC' || code === 'EDQUOT' });
    expect(await files(path)).toEqual([]);
    await blobs.close();
  });
}

test('a write fails and leaves nothing when the disk cannot flush it', async () => {
  for (const call of [0, 1]) {
    const { path, blobs } = await opened();
    const key = blobKey();
    // Creates the folder of the key first, so that only the syncs of the file and its folder are counted.
    await blobs.write(key, generated(1));
    await blobs.remove([key]);
    let calls = 0;
    const sync = handles.sync;
    vi.spyOn(handles, 'sync').mockImplementation(function (this: FileHandle) {
      return calls++ === call ? Promise.reject(systemError('EIO')) : Reflect.apply(sync, this, []);
    });
    await expect(blobs.write(key, generated(100))).rejects.toMatchObject({ name: 'FsBlobsError', code: 'EIO' });
    expect(calls).toBe(call + 1);
    expect(await files(path)).toEqual([]);
    vi.restoreAllMocks();
    await blobs.close();
  }
});

test('a short write continues until all bytes are written', async () => {
  const { blobs } = await opened();
  const write = handles.write;
  vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, ...rest: unknown[]) {
    const [bytes, offset, length, position] = rest as [Uint8Array, number, number, number];
    return Reflect.apply(write, this, [bytes, offset, Math.min(length, 1000), position]) as never;
  });
  const key = blobKey();
  await blobs.write(key, generated(300_000));
  expect(Buffer.compare(await collected(blobs.read(key)), await collected(generated(300_000)))).toBe(0);
  await blobs.close();
});

test('a read that fails on the disk rejects with the cause', async () => {
  const { blobs } = await opened();
  const key = blobKey();
  await blobs.write(key, generated(1_000_000));
  let reads = 0;
  const read = handles.read;
  vi.spyOn(handles, 'read').mockImplementation(function (this: FileHandle, ...rest: unknown[]) {
    return reads++ === 2 ? Promise.reject(systemError('EIO')) : (Reflect.apply(read, this, rest) as never);
  });
  await expect(collected(blobs.read(key))).rejects.toMatchObject({ name: 'FsBlobsError', code: 'EIO' });
  await blobs.close();
});

test('an error of the source is passed on unchanged, even when it looks like a system error', async () => {
  const { blobs } = await opened();
  const error = systemError('EIO');
  async function* source(): AsyncGenerator<Uint8Array> {
    throw error;
  }
  await expect(blobs.write(blobKey(), source())).rejects.toBe(error);
  await blobs.close();
});

test('opening fails when the folder cannot be created', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'file'), '');
  const outcome = openFsBlobs({ path: join(folder, 'file/below') });
  await expect(outcome).rejects.toMatchObject({ name: 'FsBlobsError', code: 'ENOTDIR' });
  for (const path of ['', 5 as unknown as string]) await expect(openFsBlobs({ path })).rejects.toThrow(TypeError);
  for (const abandonedAfterMs of [-1, Number.NaN]) {
    await expect(openFsBlobs({ path: folder, abandonedAfterMs })).rejects.toThrow(TypeError);
  }
});

test('the check reports the cause of the failure', async () => {
  const { path, blobs } = await opened();
  vi.spyOn(handles, 'sync').mockRejectedValue(systemError('EROFS'));
  await expect(blobs.check()).rejects.toThrow('read-only');
  expect(await files(path)).toEqual([]);
  await blobs.close();
});

test('symbolic links and other non-files are not followed', async () => {
  const { path, blobs } = await opened();
  const outside = await testFolder();
  const key = blobKey();
  await blobs.write(key, generated(10));
  const [name = ''] = await files(path);
  await blobs.remove([key]);
  await writeFile(join(outside, key), 'secret');

  await symlink(join(outside, key), join(path, name));
  await expect(collected(blobs.read(key))).rejects.toMatchObject({ name: 'FsBlobsError', code: 'ELOOP' });
  await expect(blobs.write(key, generated(10))).rejects.toMatchObject({ code: 'EEXIST' });
  await blobs.remove([key]);
  expect(await readdir(outside)).toEqual([key]);
  await mkdir(join(path, name));
  await expect(collected(blobs.read(key))).rejects.toMatchObject({ name: 'FsBlobsError', code: 'EINVAL' });
  await blobs.close();
});

test('a subfolder that is a symbolic link is not followed', async () => {
  const first = await opened();
  const key = blobKey();
  await first.blobs.write(key, generated(10));
  const [name = ''] = await files(first.path);
  await first.blobs.close();

  const { path, blobs } = await opened();
  const subfolder = name.split('/')[0] ?? '';
  await symlink(join(first.path, subfolder), join(path, subfolder));
  for (const work of [
    () => collected(blobs.read(key)),
    () => blobs.remove([key]),
    () => blobs.write(key, generated(1)),
  ]) {
    await expect(work()).rejects.toMatchObject({ name: 'FsBlobsError', code: 'ENOTDIR' });
  }
  expect(await files(first.path)).toEqual([name]);
  await blobs.close();
});
