import type pg from 'pg';
import { StoreError, olderTablesMessage } from '@modelwire/store-sql/migrations';
import type { SqlValue } from '@modelwire/store-sql';
import type { RecordSource } from '@modelwire/store-sql/migrations';
import { connectDedicated } from '../pool/dedicated-client.ts';
import { errorOf } from '../pool/failure.ts';
import { hasPendingMigrations, versionOf } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { resolveOptions } from '../options.ts';
import type { PostgresStoresOptions } from '../options.ts';
import { keyOrder, quoted, recordTables } from './record-tables.ts';
import type { PostgresTable } from './record-tables.ts';

/** Rows that are read at once. */
const rowsPerRead = 100;

/**
 * Opens the records of a database as they are at this moment, also while servers write to it. Changes nothing.
 *
 * @throws {StoreError} when the database is unreachable, has no tables, or has tables of an older version.
 * @throws {StoreTooNewError} when its tables are of a newer version.
 */
export async function openPostgresRecordSource(
  options: Pick<PostgresStoresOptions, 'url' | 'schema' | 'connectTimeoutMs'>,
): Promise<RecordSource> {
  const { url, schema, connectTimeoutMs } = resolveOptions(options);
  const client = await connectDedicated({ url, connectTimeoutMs });
  try {
    const version = await versionOf(client, schema);
    if (version === 0)
      throw new StoreError(`There are no tables of this server in the schema ${schema}.`, { code: 'VERSION' });
    if (await hasPendingMigrations(client, schema, migrations))
      throw new StoreError(olderTablesMessage(version, migrations.length), { code: 'VERSION' });
    // All later reads see the moment of the first one.
    await client.query('begin isolation level repeatable read read only');
    return recordSource(client, schema, await recordTables(client, schema));
  } catch (error) {
    await client.end().catch(() => {});
    throw errorOf(error);
  }
}

function recordSource(client: pg.Client, schema: string, tables: readonly PostgresTable[]): RecordSource {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return {
    tables,
    rows({ name }) {
      const table = byName.get(name);
      if (!table) throw new TypeError(`There is no table ${name}.`);
      const sql = `select ${quoted(table.columns)} from ${schema}."${name}" order by ${keyOrder(table)}`;
      return chunks<SqlValue[]>(client, sql);
    },
    async *blobs() {
      const select = (table: string): string => `select blob_key, bytes, sha256 from ${schema}.${table}`;
      const sql = `${select('segments')} union ${select('upload_parts')} order by blob_key`;
      for await (const chunk of chunks<[string, number, string | null]>(client, sql))
        yield chunk.map(([key, bytes, sha256]) => ({ key, bytes, ...(sha256 !== null && { sha256 }) }));
    },
    async close() {
      await client.end();
    },
  };
}

async function* chunks<Row extends SqlValue[]>(client: pg.Client, sql: string): AsyncGenerator<readonly Row[]> {
  try {
    await client.query(`declare exported no scroll cursor for ${sql}`);
    for (;;) {
      const { rows } = await client.query<Row>({ text: `fetch ${rowsPerRead} from exported`, rowMode: 'array' });
      if (rows.length === 0) break;
      yield rows;
    }
    await client.query('close exported');
  } catch (error) {
    throw errorOf(error);
  }
}
