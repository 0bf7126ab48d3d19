import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));
const controlledClock = new URL('controlled-clock.ts', import.meta.url).href;

export interface ServerProcess {
  readonly url: string;
  /** The administrator's key, created at the first start. */
  readonly key: string;
  /** The output of the server when it was started. */
  readonly printed: string;
  /** The URL that the server printed, with a one-time code. */
  readonly consoleURL: string;
  /** Creates a key with a role while the server runs. */
  createKey(role: string): Promise<string>;
  /** Sets the clocks of a server that was started with `clockOffsetMs`. They must not go back. */
  setClock(offsetMs: number): Promise<void>;
  /** Ends the server and keeps its data. */
  stop(): Promise<void>;
  /** Starts the server again, on the same port and with the same data. */
  restart(): Promise<void>;
  /** Ends the server and deletes its data. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface StartOptions {
  /** The difference between the clocks of the server and those of the system. Default: they are the same. */
  readonly clockOffsetMs?: number;
}

/** Starts the server program, by default with its embedded defaults, on a free port and a temporary data folder. */
export async function startServer(config: object = {}, { clockOffsetMs }: StartOptions = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-console-'));
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const first = await run(folder, '0', clockOffsetMs);
  let running = first;
  const key = /key\s+(mw-\S+)/.exec(first.output)?.[1];
  const consoleURL = /Console: (\S+)/.exec(first.output)?.[1];
  if (key === undefined || consoleURL === undefined) throw new Error(`The server printed no key:\n${first.output}`);
  const { origin, port } = new URL(consoleURL);
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    await running.closed;
  };
  return {
    url: origin,
    key,
    printed: first.output,
    consoleURL,
    async createKey(role) {
      const args = [main, 'keys', 'create', '--role', role, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: environment('0') });
      return /"key":\s*"([^"]+)"/.exec(stdout)?.[1] ?? '';
    },
    async setClock(offsetMs) {
      running.child.send(offsetMs);
      await once(running.child, 'message');
    },
    stop,
    async restart() {
      running = await run(folder, port, clockOffsetMs);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function environment(port: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    PORT: port,
    MODELWIRE_LOCAL_SERVERS: 'false',
    MODELWIRE_LOG_LEVEL: 'silent',
  };
}

async function run(folder: string, port: string, clockOffsetMs?: number) {
  const isControlled = clockOffsetMs !== undefined;
  const child = spawn(process.execPath, [...(isControlled ? ['--import', controlledClock] : []), main], {
    cwd: folder,
    env: { ...environment(port), ...(isControlled && { CLOCK_OFFSET_MS: String(clockOffsetMs) }) },
    stdio: ['ignore', 'pipe', 'inherit', ...(isControlled ? (['ipc'] as const) : [])],
  });
  const closed = once(child, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (output.includes('curl ')) resolve();
    });
    child.once('close', () => reject(new Error(`The server ended: ${output}`)));
  });
  return { child, closed, output };
}
