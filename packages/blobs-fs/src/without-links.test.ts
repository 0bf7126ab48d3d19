import type fs from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof fs>()),
  link: () => Promise.reject(Object.assign(new Error('operation not permitted'), { code: 'EPERM' })),
}));

test('works on a file system without hard links and never overwrites a key there', async () => {
  const path = await testFolder();
  const blobs = await openFsBlobs({ path });
  const key = blobKey();
  expect(await blobs.write(key, generated(1000))).toBe(1000);
  expect(await readdir(join(path, 'unfinished'))).toEqual([]);
  await expect(blobs.write(key, generated(5))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await collected(blobs.read(key))).toHaveLength(1000);
  expect(await readdir(join(path, 'unfinished'))).toEqual([]);
  await blobs.close();
});
