import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { listeningUrl } from './listening-url.ts';
import { key } from './test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  /** The log (stderr) so far. */
  log(): string;
  /** Resolves when the process has exited. */
  readonly exited: Promise<unknown>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts the server program as a child process. */
export async function startProcess(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      MODELWIRE_API_KEYS: key,
      MODELWIRE_LOCAL_SERVERS: 'false',
      MODELWIRE_LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'close');
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => {
    log += bytes.toString();
    process.stderr.write(bytes);
  });
  const url = await listeningUrl(child);
  return { url, log: () => log, exited, kill: (signal) => void child.kill(signal) };
}
