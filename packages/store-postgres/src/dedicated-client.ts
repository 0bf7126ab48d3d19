import pg from 'pg';
import { errorOf } from './failure.ts';
import type { ResolvedOptions } from './options.ts';

/** Provides a connection outside the pool for long-running work: its statements have no timeout. */
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
    // A connection that breaks in use reports it twice, also by an event.
    client.on('error', () => {});
    await client.connect();
    return await use(client);
  } catch (reason) {
    throw errorOf(reason);
  } finally {
    await client?.end().catch(() => {});
  }
}
