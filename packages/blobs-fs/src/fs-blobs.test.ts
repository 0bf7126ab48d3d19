import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeBlobs } from '@modelwire/ports/suites/blobs';
import { openFsBlobs } from './fs-blobs.ts';

describeBlobs('a local folder', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'modelwire-blobs-'));
  const path = join(parent, 'made/when/opened');
  let blobs = await openFsBlobs({ path });
  return {
    blobs,
    refusesTakenKeys: true,
    unfinished: async () => (await readdir(join(path, 'unfinished'))).length,
    async reopen() {
      await blobs.close();
      return (blobs = await openFsBlobs({ path }));
    },
    async discard() {
      await blobs.close();
      await rm(parent, { recursive: true });
    },
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
