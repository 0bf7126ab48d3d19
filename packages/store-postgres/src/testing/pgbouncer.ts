import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Why PgBouncer cannot be started; undefined if it can. */
export function missingPgBouncer(): string | undefined {
  try {
    const version = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
    return Number(major) > 1 || Number(minor) >= 21 ? undefined : 'pgbouncer is older than 1.21';
  } catch {
    return 'there is no pgbouncer';
  }
}

export interface PgBouncerOptions {
  /** Connections to PostgreSQL. */
  readonly poolSize: number;
  /** Runs on each of them first. */
  readonly connectQuery?: string;
}

/** PgBouncer in transaction mode in front of a PostgreSQL server. */
export async function startPgBouncer(target: string, { poolSize, connectQuery }: PgBouncerOptions): Promise<PgBouncer> {
  const { port, username, password } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-pgbouncer-'));
  await chmod(folder, 0o755);
  const listenPort = await freePort();
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${password}"\n`);
  const config = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 200,
    max_prepared_statements: 300,
    server_login_retry: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  const query = connectQuery === undefined ? '' : ` connect_query='${connectQuery}'`;
  const database = `* = host=127.0.0.1 port=${port}${query}`;
  await writeFile(config, `[databases]\n${database}\n[pgbouncer]\n${lines.join('')}`);
  const child = spawn('pgbouncer', [config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // It does not run as root either.
    ...(userInfo().uid === 0 && { uid: 65_534, gid: 65_534 }),
  });
  const exited = once(child, 'exit');
  const url = new URL(target);
  url.port = String(listenPort);
  const bouncer: PgBouncer = {
    url: url.href,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await upAndRunning(child.stderr.setEncoding('utf8'));
    return bouncer;
  } catch (error) {
    await bouncer.stop();
    throw error;
  }
}

async function upAndRunning(log: AsyncIterable<string> & NodeJS.ReadableStream): Promise<void> {
  let text = '';
  const running = new Promise<void>((resolve) => {
    log.on('data', (piece: string) => {
      text += piece;
      if (text.includes('process up')) resolve();
    });
  });
  const ended = once(log, 'end').then(() => {
    throw new Error(`PgBouncer has ended: ${text}`);
  });
  await Promise.race([running, ended]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
