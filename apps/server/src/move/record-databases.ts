import { join } from 'node:path';
import { openPostgresRecordSource, openPostgresRecordTarget } from '@modelwire/store-postgres/internal';
import { openSqliteRecordSource, openSqliteRecordTarget } from '@modelwire/store-sqlite/internal';
import { describeFailure } from '../commands/command-failure.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

export type RecordSource = Awaited<ReturnType<typeof openPostgresRecordSource>>;
export type RecordTarget = Awaited<ReturnType<typeof openPostgresRecordTarget>>;

type Location = Pick<Settings, 'data' | 'database'>;

const sqlitePath = ({ data }: Location) => join(data, 'modelwire.sqlite');

/** Opens the records of the configured database, as they are at this moment. */
export function openRecordSource(settings: Location): Promise<RecordSource> {
  const { database } = settings;
  return named(async () =>
    database === undefined
      ? openSqliteRecordSource({ path: sqlitePath(settings) })
      : openPostgresRecordSource({ url: database }),
  );
}

/** Opens the configured database to import the export `id`. */
export function openRecordTarget(settings: Location, id: string): Promise<RecordTarget> {
  const { database } = settings;
  return named(async () =>
    database === undefined
      ? openSqliteRecordTarget({ path: sqlitePath(settings), id })
      : openPostgresRecordTarget({ url: database, id }),
  );
}

/** These messages are addressed to the operator. They do not contain the URL, which can contain a password. */
async function named<Value>(open: () => Promise<Value>): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    // Of invalid options.
    const message = error instanceof TypeError ? `database: ${error.message}` : describeFailure(error);
    throw message === undefined ? error : new ConfigError(message, { cause: error });
  }
}
