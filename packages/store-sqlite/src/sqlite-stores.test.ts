import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStores } from '@modelwire/ports/suites/stores';
import { openSqliteStores } from './sqlite-stores.ts';

describeStores('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'));
  const path = join(folder, 'store.db');
  let stores = await openSqliteStores({ path });
  return {
    stores,
    async reopen() {
      await stores.close();
      return (stores = await openSqliteStores({ path }));
    },
    async discard() {
      await stores.close();
      await rm(folder, { recursive: true });
    },
  };
});
