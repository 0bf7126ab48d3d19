import { join } from 'node:path';
import type { StorageObserver, Stores } from '@modelwire/ports';
import { openSqliteStores, StoreError, StoreTooNewError } from '@modelwire/store-sqlite';
import type { SqliteStoresOptions } from '@modelwire/store-sqlite';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

/** Opens the record store: PostgreSQL if `database` is set, otherwise an SQLite file in the data folder. */
export async function openStores(
  settings: Settings,
  observe: (storage: string) => StorageObserver | undefined = () => undefined,
  { writer }: Pick<SqliteStoresOptions, 'writer'> = {},
): Promise<Stores> {
  const { data, database, requestsPerMinute, tokensPerMinute, completionSearch } = settings;
  const { databaseTimeoutMs: operationTimeoutMs } = settings;
  try {
    if (database !== undefined) {
      const { openPostgresStores } = await import('@modelwire/store-postgres');
      return await openPostgresStores({
        url: database,
        operationTimeoutMs,
        completionSearch,
        rateLimits: { requestsPerMinute, tokensPerMinute },
        observer: observe('postgresql'),
      });
    }
    return await openSqliteStores({
      path: join(data, 'modelwire.sqlite'),
      operationTimeoutMs,
      completionSearch,
      writer,
      observer: observe('sqlite'),
    });
  } catch (error) {
    throw asConfigError(error, database);
  }
}

/**
 * The error of opening a store, as a ConfigError where its message is addressed to the operator. It has the host of the URL, never the rest,
 * which has a password.
 */
export function asConfigError(error: unknown, url?: string): unknown {
  const host = url === undefined ? undefined : URL.parse(url)?.host;
  return error instanceof StoreError || error instanceof StoreTooNewError || error instanceof TypeError
    ? new ConfigError(`database${host ? ` ${host}` : ''}: ${error.message}`, { cause: error })
    : error;
}
