import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeBlobs } from '@modelwire/ports/suites/blobs';
import { openFsBlobs } from './fs-blobs.ts';

describeBlobs('a local folder', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'modelwire-blobs-'));
  const path = join(parent, 'made/when/opened');
  return {
    refusesTakenKeys: true,
    open: () => openFsBlobs({ path }),
    unfinished: async () => (await readdir(join(path, 'unfinished'))).length,
    remove: () => rm(parent, { recursive: true }),
  };
});

test('localPath names the file that holds the bytes of a key', async () => {
  const path = await mkdtemp(join(tmpdir(), 'modelwire-blobs-'));
  const blobs = await openFsBlobs({ path });
  onTestFinished(() => rm(path, { recursive: true }));
  await blobs.write('blob_a', new Blob(['content']).stream());
  expect(await readFile(blobs.localPath?.('blob_a') ?? '', 'utf8')).toBe('content');
  expect(() => blobs.localPath?.('../a')).toThrow(TypeError);
  await blobs.close();
  expect(() => blobs.localPath?.('blob_a')).toThrow('closed');
});
