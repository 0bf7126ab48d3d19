import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';

let server: Promise<PostgresServer> | undefined;

/**
 * Creates an empty PostgreSQL database and returns its URL. The tests of this process share one PostgreSQL server, which ends with the process:
 * a test that stops PostgreSQL starts one of its own.
 */
export async function createDatabase(): Promise<string> {
  return (await (server ??= startPostgres())).createDatabase();
}
