import pg from 'pg';
import { errorOf } from './failure.ts';
import type { ResolvedOptions } from './options.ts';

/** Lends a connection that is not of the pool, for work that may take as long as it takes: its statements are not given up. */
export async function withDedicatedClient<Result>(
  { url, connectTimeoutMs }: Pick<ResolvedOptions, 'url' | 'connectTimeoutMs'>,
  use: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      fallback_application_name: 'modelwire',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    // One that breaks in use says so twice, by an event too.
    client.on('error', () => {});
    await client.connect();
    return await use(client);
  } catch (reason) {
    throw errorOf(reason);
  } finally {
    await client?.end().catch(() => {});
  }
}
