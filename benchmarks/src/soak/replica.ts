import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeReport, Stall } from './probe.ts';

export const apiKey = 'soak-key-1234567890';

export interface Replica {
  readonly url: string;
  /** Resident set sizes in bytes, one for each second. */
  readonly rss: readonly number[];
  readonly heapUsed: readonly number[];
  readonly stalls: readonly Stall[];
  /** The file that its log goes to. */
  readonly log: string;
  hasExited(): boolean;
  stop(): Promise<void>;
}

const main = new URL('../../../apps/server/src/main.ts', import.meta.url).pathname;
const probe = new URL('./probe.ts', import.meta.url).href;

/** The server program as users run it, in a folder of its own, with a probe that measures its event loop and memory. */
export async function startReplica(
  name: string,
  config: object,
  env: Readonly<Record<string, string>>,
): Promise<Replica> {
  const folder = mkdtempSync(join(tmpdir(), `modelwire-soak-${name}-`));
  const log = join(tmpdir(), `modelwire-soak-${name}.log`);
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, ['--import', probe, main], {
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
  const rss: number[] = [];
  const heapUsed: number[] = [];
  const stalls: Stall[] = [];
  let readyAt = Infinity;
  child.on('message', (report: ProbeReport) => {
    rss.push(report.rss);
    heapUsed.push(report.heapUsed);
    // Start-up loads modules and compiles; the soak is about serving.
    stalls.push(...report.stalls.filter(({ at, ms }) => at - ms > readyAt));
  });
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
  readyAt = Date.now();
  return {
    url,
    rss,
    heapUsed,
    stalls,
    log,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await closed;
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
