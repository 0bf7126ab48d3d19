import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listeningUrl } from '@modelwire/server-app/testing';

export interface Program {
  readonly child: ChildProcess;
  /** Such as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** The file that receives its log. */
  readonly log: string;
  /** Resolves when it has exited, which takes at most 30 seconds. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface ProgramOptions {
  readonly apiKey: string;
  readonly config: object;
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. Default: a new one. */
  readonly folder?: string;
  /** A module that runs before the program. */
  readonly preload?: string;
}

/** The server program from its source. */
export const main = fileURLToPath(import.meta.resolve('@modelwire/server-app').replace(/[^/]*$/, 'main.ts'));

/** Starts the server program as users run it. */
export async function startProgram({
  apiKey,
  config,
  env = {},
  folder = mkdtempSync(join(tmpdir(), 'modelwire-program-')),
  preload,
}: ProgramOptions): Promise<Program> {
  const log = join(folder, 'log');
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [...(preload === undefined ? [] : ['--import', preload]), main], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      MODELWIRE_API_KEYS: apiKey,
      MODELWIRE_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stderr?.pipe(createWriteStream(log));
  const closed = once(child, 'close');
  const url = await listeningUrl(child);
  return {
    child,
    url,
    log,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await closed;
      clearTimeout(timer);
    },
  };
}
