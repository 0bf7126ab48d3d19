import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listeningUrl } from '@modelwire/server-app/testing';

/** The server program. */
export const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));

export interface TestServer {
  /** Without a path. */
  readonly url: string;
  readonly key: string;
  /** Creates a key of the role `admin`. */
  createAdminKey(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the server program on a free port, with an empty data folder that `stop` removes.
 *
 * @param aliases Model aliases, in the form of `MODELWIRE_MODEL_ALIASES`. Default: none.
 * @param config Its configuration file. Default: none.
 */
export async function startServer(aliases?: string, config?: object): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-compatibility-'));
  const key = `sk-${randomBytes(16).toString('hex')}`;
  const env = {
    ...{ PATH: process.env['PATH'], PORT: '0', MODELWIRE_API_KEYS: key, MODELWIRE_LOG_LEVEL: 'error' },
    ...(aliases !== undefined && { MODELWIRE_MODEL_ALIASES: aliases }),
  };
  if (config) await writeFile(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const url = await listeningUrl(child);
  return {
    url,
    key,
    async createAdminKey() {
      const args = ['keys', 'create', '--role', 'admin', '--project', 'operators', '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env });
      const created: unknown = JSON.parse(stdout);
      if (typeof created === 'object' && created !== null && 'key' in created && typeof created.key === 'string')
        return created.key;
      throw new Error(`Expected a key, but got: ${stdout}`);
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port of this machine that is free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return address.port;
}
