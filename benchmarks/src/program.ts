import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Program {
  readonly child: ChildProcess;
  /** Such as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** The file that receives its log. */
  readonly log: string;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  readonly apiKey: string;
  readonly config: object;
  readonly env?: Readonly<Record<string, string>>;
  /** A module that runs before the program. */
  readonly preload?: string;
}

const main = new URL('../../apps/server/src/main.ts', import.meta.url).pathname;

/** Starts the server program as users run it, in a new folder. */
export async function startProgram({ name, apiKey, config, env = {}, preload }: ProgramOptions): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), `modelwire-${name}-`));
  const log = join(tmpdir(), `modelwire-${name}.log`);
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [...(preload === undefined ? [] : ['--import', preload]), main], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      MODELWIRE_API_KEYS: apiKey,
      MODELWIRE_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stderr?.pipe(createWriteStream(log));
  const closed = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      const found = /curl (http:\S+?)\/v1\//.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`the server exited: ${output}; see ${log}`)));
  });
  return {
    child,
    url,
    log,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await closed;
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
