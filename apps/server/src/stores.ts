import { join } from 'node:path';
import type { Stores } from '@modelwire/server';
import { openPostgresStores } from '@modelwire/store-postgres';
import { openSqliteStores, StoreError } from '@modelwire/store-sqlite';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Where this server keeps what has to last: PostgreSQL where `database` names one, else a file in the data folder. */
export async function openStores(settings: Settings): Promise<Stores> {
  const { data, database, requestsPerMinute, tokensPerMinute, storageTimeoutMs: operationTimeoutMs } = settings;
  try {
    if (database !== undefined) {
      return await openPostgresStores({
        url: database,
        operationTimeoutMs,
        rateLimits: { requestsPerMinute, tokensPerMinute },
      });
    }
    return await openSqliteStores({ path: join(data, 'modelwire.sqlite'), operationTimeoutMs });
  } catch (error) {
    // What a store says is meant for whoever set it up; neither quotes the address, which holds a password.
    if (error instanceof StoreError || error instanceof TypeError) throw new ConfigError(`database: ${error.message}`);
    throw error;
  }
}
