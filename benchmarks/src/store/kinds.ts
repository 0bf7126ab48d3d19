import { join } from 'node:path';
import type { Stores } from '@modelwire/ports';
import { openPostgresStores } from '@modelwire/store-postgres';
import { openSqliteStores } from '@modelwire/store-sqlite';

/** Opens a store of one size: `place` is the folder of its file, or the URL of a database in which it has a schema. */
export interface Place {
  readonly kind: StoreKind;
  readonly place: string;
  readonly name: string;
}

export const storeKinds = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

export const kindTitles: Record<StoreKind, string> = {
  sqlite: '`@modelwire/store-sqlite`',
  postgres: '`@modelwire/store-postgres`',
};

export function openStores({ kind, place, name }: Place): Promise<Stores> {
  return kind === 'sqlite'
    ? openSqliteStores({ path: join(place, `${name}.db`) })
    : openPostgresStores({ url: place, schema: name });
}
