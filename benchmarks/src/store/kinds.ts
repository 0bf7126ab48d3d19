import { join } from 'node:path';
import type { Stores } from '@modelwire/server';
import { openPostgresStores } from '@modelwire/store-postgres';
import { openSqliteStores } from '@modelwire/store-sqlite';

/** Where the stores of one size are: a file in `place`, or a schema of the database that `place` is the URL of. */
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
