import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';

export interface PostgresServer {
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server and removes its files. */
  discard(): Promise<void>;
}

/** A separate PostgreSQL server, from the binaries of an npm package, that listens on localhost only. */
export async function startPostgres(): Promise<PostgresServer> {
  // Inherits no pipe: a test runner waits until every process with its pipes has exited.
  const child = fork(new URL('./postgres-process.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  const exited = once(child, 'exit');
  const told = async (): Promise<string> => {
    const gone = exited.then(() => [{ error: 'the PostgreSQL process has exited' }]);
    const [answer] = (await Promise.race([once(child, 'message'), gone])) as [{ url?: string; error?: string }];
    if (answer.url === undefined) throw new Error(answer.error);
    return answer.url;
  };
  const order = async (what: 'start' | 'stop'): Promise<void> => {
    child.send(what);
    await told();
  };
  const discard = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    const url = await told();
    return {
      url,
      createDatabase: () => createDatabase(url),
      start: () => order('start'),
      stop: () => order('stop'),
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}
