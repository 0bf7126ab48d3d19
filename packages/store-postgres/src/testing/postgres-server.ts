import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';

export interface PostgresServer {
  readonly url: string;
  /** The folder of its data. */
  readonly folder: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  /** Stops the server and removes its files. */
  discard(): Promise<void>;
}

/** A separate PostgreSQL server, from the binaries of an npm package, that listens on localhost only. */
export async function startPostgres(): Promise<PostgresServer> {
  return startServer({});
}

/**
 * A server that follows the primary by streaming replication, until it is promoted. The primary is restarted meanwhile. `isSynchronous`: it waits
 * for the standby from now on before it acknowledges a commit.
 */
export async function startStandby(
  primary: PostgresServer,
  { isSynchronous }: { readonly isSynchronous: boolean },
): Promise<PostgresServer> {
  await primary.stop();
  const standby = await startServer({ STANDBY_OF: `${new URL(primary.url).port} ${primary.folder}` });
  await primary.start();
  if (isSynchronous) {
    await execute(primary.url, "alter system set synchronous_standby_names = 'standby'");
    await execute(primary.url, 'select pg_reload_conf()');
  }
  return standby;
}

/** Makes a standby the primary. Resolves when it accepts writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  await execute(standby.url, 'select pg_promote()');
}

async function startServer(env: Readonly<Record<string, string>>): Promise<PostgresServer> {
  // Inherits no pipe: a test runner waits until every process with its pipes has exited.
  const child = fork(new URL('./postgres-process.ts', import.meta.url), {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  const exited = once(child, 'exit');
  const told = async (): Promise<Pick<PostgresServer, 'url' | 'folder'>> => {
    const gone = exited.then(() => [{ error: 'the PostgreSQL process has exited' }]);
    const [answer] = (await Promise.race([once(child, 'message'), gone])) as [
      { url: string; folder: string } | { error: string },
    ];
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
  const order = async (what: 'start' | 'stop' | 'kill'): Promise<void> => {
    child.send(what);
    await told();
  };
  const discard = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    const { url, folder } = await told();
    return {
      url,
      folder,
      createDatabase: () => createDatabase(url),
      start: () => order('start'),
      stop: () => order('stop'),
      kill: () => order('kill'),
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(url, `create database ${name}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
