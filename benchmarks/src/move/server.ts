import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { listeningUrl } from '@modelwire/server-app/testing';

export const main = fileURLToPath(import.meta.resolve('@modelwire/server-app').replace(/[^/]*$/, 'main.ts'));
export const apiKey = 'benchmark-key-0123456789';

export type Variables = Readonly<Record<string, string>>;

export interface ServerProcess {
  readonly url: string;
  readonly gone: Promise<unknown>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
}

export async function startServer(cwd: string, variables: Variables): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      MODELWIRE_API_KEYS: apiKey,
      MODELWIRE_LOCAL_SERVERS: 'false',
      MODELWIRE_LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  const url = await listeningUrl(child);
  return { url, gone, kill: (signal) => void child.kill(signal) };
}
