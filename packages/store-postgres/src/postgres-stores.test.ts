import { describeStores } from '@modelwire/ports/suites/stores';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

describeStores('PostgreSQL', async () => {
  const schema = freshSchema();
  // Longer than a busy machine takes.
  return { open: () => openPostgresStores({ url, schema, operationTimeoutMs: 240_000 }) };
});
