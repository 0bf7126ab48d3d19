import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStores } from '@modelwire/ports/suites/stores';
import { openSqliteStores } from './sqlite-stores.ts';

describeStores('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'));
  return {
    // Longer than a busy machine takes.
    open: () => openSqliteStores({ path: join(folder, 'store.db'), operationTimeoutMs: 240_000 }),
    remove: () => rm(folder, { recursive: true }),
  };
});
