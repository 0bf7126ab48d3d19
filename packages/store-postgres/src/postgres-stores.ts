import { postgresBuilder, sqlStores } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/ports';
import { withDedicatedClient } from './pool/dedicated-client.ts';
import { hasPendingMigrations, migrate, refuseIncompleteImport } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';
import { resolveOptions } from './options.ts';
import type { PostgresStoresOptions } from './options.ts';
import { poolDatabase } from './pool/pool-database.ts';
import { deleteFullBuckets, postgresRateLimiter } from './limits/rate-limiter.ts';

/**
 * Opens the stores in a PostgreSQL database and migrates its tables. Any number of servers can share it: writes are visible to
 * all, and claims and rate limits apply across all of them. Reconnects after the server restarts.
 * @throws {StoreTooNewError} when a newer program created the tables.
 * @throws {StoreError} when the database is unreachable or returns an error. Its message contains nothing of the URL.
 */
export async function openPostgresStores(options: PostgresStoresOptions): Promise<Stores> {
  const resolved = resolveOptions(options);
  const { schema, rateLimits } = resolved;
  const database = poolDatabase(resolved);
  try {
    const mustMigrate = await database.withClient(async (client) => {
      await refuseIncompleteImport(client, schema);
      return hasPendingMigrations(client, schema, migrations);
    });
    if (mustMigrate) {
      await withDedicatedClient(resolved, (client) => migrate(client, schema, migrations));
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return sqlStores({
    ...options,
    database,
    builder: postgresBuilder(schema),
    check: { sql: `delete from ${schema}.keys where false`, parameters: [] },
    rateLimiter: postgresRateLimiter(database, schema, rateLimits),
    tidy: deleteFullBuckets(schema),
  });
}
