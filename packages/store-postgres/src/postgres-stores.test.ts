import { describeStores } from '@modelwire/ports/suites/stores';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

describeStores('PostgreSQL', async () => {
  const schema = freshSchema();
  let stores = await openPostgresStores({ url, schema });
  return {
    stores,
    async reopen() {
      await stores.close();
      return (stores = await openPostgresStores({ url, schema }));
    },
    discard: () => stores.close(),
  };
});
