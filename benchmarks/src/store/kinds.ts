import { join } from 'node:path';
import type { Stores } from '@modelwire/ports';
import { openPostgresStores } from '@modelwire/store-postgres';
import { openSqliteStores } from '@modelwire/store-sqlite';

export type StoreKind = 'sqlite' | 'postgres';

/** `place`: the folder of the file, or the URL of the database. */
export function openStores(kind: StoreKind, place: string): Promise<Stores> {
  return kind === 'sqlite'
    ? openSqliteStores({ path: join(place, 'store.db') })
    : openPostgresStores({ url: place, schema: 'bench' });
}
