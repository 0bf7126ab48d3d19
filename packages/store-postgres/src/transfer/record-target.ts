import type pg from 'pg';
import { StoreError, decideImport, importTables, importedWords, postgresSearch } from '@modelwire/store-sql/migrations';
import type { RecordTarget, TableRow } from '@modelwire/store-sql/migrations';
import { connectDedicated } from '../pool/dedicated-client.ts';
import { errorOf } from '../pool/failure.ts';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { resolveOptions } from '../options.ts';
import type { PostgresStoresOptions } from '../options.ts';
import { quoted, recordTables } from './record-tables.ts';
import type { PostgresTable } from './record-tables.ts';

export interface PostgresRecordTargetOptions extends Pick<
  PostgresStoresOptions,
  'url' | 'schema' | 'connectTimeoutMs'
> {
  /** Of the export. */
  readonly id: string;
}

/**
 * Opens a database, whose tables are created if missing, to import the export `id`, or to resume that. One process can do so at a time.
 *
 * @throws {StoreError} when the database is unreachable, or has records that are not of this export.
 * @throws {StoreTooNewError} when its tables are of a newer version.
 */
export async function openPostgresRecordTarget({ id, ...options }: PostgresRecordTargetOptions): Promise<RecordTarget> {
  const { url, schema, connectTimeoutMs } = resolveOptions(options);
  const client = await connectDedicated({ url, connectTimeoutMs });
  try {
    await lock(client, schema);
    await migrate(client, schema, migrations);
    const tables = await recordTables(client, schema);
    const isComplete = await beginImport(client, { schema, tables, id });
    return await recordTarget(client, { schema, tables, id, isComplete });
  } catch (error) {
    await client.end().catch(() => {});
    throw errorOf(error);
  }
}

/** Held until the connection ends. */
async function lock(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isLocked"',
    [`modelwire import into ${schema}`],
  );
  if (!rows[0]?.isLocked) throw new StoreError('Another process is importing into this database.', { code: 'IMPORT' });
}

interface Import {
  readonly schema: string;
  readonly tables: readonly PostgresTable[];
  readonly id: string;
}

/** Returns whether the import is complete. */
async function beginImport(client: pg.Client, { schema, tables, id }: Import): Promise<boolean> {
  const [imports, progress] = [`${schema}.${importTables.imports}`, `${schema}.${importTables.progress}`];
  await client.query(`
    create table if not exists ${imports} (export_id text not null primary key, completed_at text);
    create table if not exists ${progress} (part text not null primary key, position bigint not null);
  `);
  const nonEmptyTables: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${schema}."${name}" limit 1`);
    if (rowCount !== 0) nonEmptyTables.push(name);
  }
  const { rows } = await client.query<{ id: string; isComplete: boolean }>(
    `select export_id as id, completed_at is not null as "isComplete" from ${imports}`,
  );
  const decision = decideImport(id, { imports: rows, nonEmptyTables });
  if (typeof decision === 'object') throw new StoreError(decision.refused, { code: 'IMPORT' });
  if (decision === 'begin') {
    await client.query('begin');
    await client.query(`delete from ${progress}`);
    await client.query(`insert into ${imports} (export_id) values ($1)`, [id]);
    await client.query('commit');
  }
  return decision === 'complete';
}

async function recordTarget(
  client: pg.Client,
  { schema, tables, id, isComplete }: Import & { readonly isComplete: boolean },
): Promise<RecordTarget> {
  const progress = `${schema}.${importTables.progress}`;
  const { rows: found } = await client.query<{ part: string; position: number }>(
    `select part, position from ${progress}`,
  );
  const positions = new Map(found.map(({ part, position }) => [part, position]));
  const position = (name: string) => positions.get(name) ?? 0;
  const byName = new Map(tables.map((table) => [table.name, table]));

  async function commit(name: string, next: number, work: () => Promise<unknown> = async () => {}): Promise<void> {
    try {
      await client.query('begin');
      await work();
      await client.query(
        `insert into ${progress} (part, position) values ($1, $2)
         on conflict (part) do update set position = excluded.position`,
        [name, next],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw errorOf(error);
    }
    positions.set(name, next);
  }

  return {
    tables,
    isComplete,
    position,
    async append({ name }, rows) {
      const table = byName.get(name);
      if (!table) throw new TypeError(`There is no table ${name}.`);
      await commit(name, position(name) + rows.length, async () => {
        await insertRows(client, `${schema}."${name}"`, table, rows);
        if (name === 'completions') await insertWords(client, schema, importedWords(postgresSearch, table, rows));
      });
    },
    advance: commit,
    async finish() {
      try {
        for (const table of tables) await setSequences(client, schema, table);
        await client.query(`analyze ${tables.map(({ name }) => `${schema}."${name}"`).join(', ')}`);
      } catch (error) {
        throw errorOf(error);
      }
    },
    async complete() {
      try {
        await client.query(`update ${schema}.${importTables.imports} set completed_at = $1 where export_id = $2`, [
          new Date().toISOString(),
          id,
        ]);
      } catch (error) {
        throw errorOf(error);
      }
    },
    async close() {
      await client.end();
    },
  };
}

/** One array for each column: the statement is the same for any number of rows. */
async function insertRows(
  client: pg.Client,
  target: string,
  { columns, types }: PostgresTable,
  rows: readonly TableRow[],
): Promise<void> {
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column) ?? 'text'}[]`);
  await client.query(
    `insert into ${target} (${quoted(columns)}) overriding system value select * from unnest(${arrays.join(', ')})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
}

async function insertWords(client: pg.Client, schema: string, rows: ReturnType<typeof importedWords>): Promise<void> {
  await client.query(
    `insert into ${schema}.modelwire_completion_words (completion_seq, created_at, words)
     select seq, created_at, words::tsvector from unnest($1::bigint[], $2::bigint[], $3::text[]) as imported (seq, created_at, words)`,
    [rows.map(({ seq }) => seq), rows.map(({ createdAt }) => createdAt), rows.map(({ words }) => words)],
  );
}

/** New records get numbers above those of the imported ones. */
async function setSequences(client: pg.Client, schema: string, { name }: PostgresTable): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [`${schema}."${name}"`],
  );
  for (const { column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max("${column}"), 0) + 1, false) from ${schema}."${name}"`,
      [`${schema}."${name}"`, column],
    );
}
