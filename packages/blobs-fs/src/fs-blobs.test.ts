import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
