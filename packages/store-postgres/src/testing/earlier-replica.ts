import { earlierReplica, readRecording } from '@modelwire/store-sql/testing';
import type { EarlierReplica } from '@modelwire/store-sql/testing';
import pg from 'pg';
import { integerTypes } from '../integer-types.ts';
import { url } from './schema.ts';

export const earlier = readRecording(new URL('earlier-version.json', import.meta.url));

export interface PostgresReplica extends EarlierReplica {
  close(): Promise<void>;
}

/** A server of an earlier version on one connection. */
export async function startEarlierReplica(schema: string): Promise<PostgresReplica> {
  const client = new pg.Client({ connectionString: url, types: integerTypes });
  await client.connect();
  const names = new Map<string, string>();
  const replica = earlierReplica(earlier, async (statements, check) => {
    const results: Record<string, unknown>[] = [];
    await client.query('begin');
    for (const statement of statements) {
      const text = statement.sql.replaceAll('"earlier".', `"${schema}".`).replaceAll(' earlier.', ` ${schema}.`);
      // Prepared once, as servers do: its plan must survive the migration.
      const name = names.get(text) ?? `earlier_${names.size}`;
      names.set(text, name);
      const { rows } = await client.query<Record<string, unknown>>({ name, text, values: [...statement.parameters] });
      check(statement, rows);
      results.push(...rows);
    }
    await client.query('commit');
    return results;
  });
  return { ...replica, close: () => client.end() };
}
