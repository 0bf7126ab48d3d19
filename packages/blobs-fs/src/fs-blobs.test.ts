import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
