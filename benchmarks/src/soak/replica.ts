import { startProgram } from '../program.ts';
import type { ProbeReport, Stall } from './probe.ts';

export const apiKey = 'soak-key-1234567890';

export interface Replica {
  readonly url: string;
  /** Resident set sizes in bytes, one for each second. */
  readonly rss: readonly number[];
  readonly heapUsed: readonly number[];
  readonly stalls: readonly Stall[];
  /** The file that receives its log. */
  readonly log: string;
  hasExited(): boolean;
  stop(): Promise<void>;
}

const probe = new URL('./probe.ts', import.meta.url).href;

/** The server program with a probe that measures its event loop and memory. */
export async function startReplica(config: object, env: Readonly<Record<string, string>>): Promise<Replica> {
  const { child, url, log, stop } = await startProgram({ apiKey, config, env, preload: probe });
  // Startup loads and compiles modules; the soak measures serving.
  const readyAt = Date.now();
  const rss: number[] = [];
  const heapUsed: number[] = [];
  const stalls: Stall[] = [];
  child.on('message', (report: ProbeReport) => {
    rss.push(report.rss);
    heapUsed.push(report.heapUsed);
    stalls.push(...report.stalls.filter(({ at, ms }) => at - ms > readyAt));
  });
  return {
    url,
    rss,
    heapUsed,
    stalls,
    log,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    stop,
  };
}
