import pg from 'pg';
import { errorOf } from './failure.ts';
import type { ResolvedOptions } from '../options.ts';
import { integerTypes } from './integer-types.ts';

type ConnectionOptions = Pick<ResolvedOptions, 'url' | 'connectTimeoutMs'>;

/** Opens a connection outside the pool. Its statements have no timeout. */
export async function connectDedicated({ url, connectTimeoutMs }: ConnectionOptions): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      fallback_application_name: 'modelwire',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      types: integerTypes,
    });
    // A connection that breaks in use reports it twice, also by an event.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (reason) {
    await client?.end().catch(() => {});
    throw errorOf(reason);
  }
}

/** Provides a connection outside the pool for long-running work: its statements have no timeout. */
export async function withDedicatedClient<Result>(
  options: ConnectionOptions,
  use: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await connectDedicated(options);
  try {
    return await use(client);
  } catch (reason) {
    throw errorOf(reason);
  } finally {
    await client.end().catch(() => {});
  }
}
