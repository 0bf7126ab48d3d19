// Preloaded into a server process by `--import`: reports stalls of its event loop and its memory to the parent process.
import { performance } from 'node:perf_hooks';

/** Sent by a server process once a second. */
export interface ProbeReport {
  /** Resident set size, bytes. */
  readonly rss: number;
  /** Bytes of live and dead JavaScript objects. */
  readonly heapUsed: number;
  readonly stalls: readonly Stall[];
}

export interface Stall {
  /** Unix milliseconds at its end. */
  readonly at: number;
  /** Milliseconds of wall-clock time for which the event loop was blocked. */
  readonly ms: number;
  /** Milliseconds of CPU time of the main thread meanwhile. If far less than `ms`, the thread was waiting for a core. */
  readonly cpuMs: number;
}

const tickMs = 20;
const reportedFromMs = 100;
let stalls: Stall[] = [];
let last = performance.now();
let lastCpu = threadCpuMs();

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

setInterval(() => {
  const now = performance.now();
  const cpu = threadCpuMs();
  const ms = now - last - tickMs;
  if (ms >= reportedFromMs) stalls.push({ at: Date.now(), ms, cpuMs: cpu - lastCpu });
  last = now;
  lastCpu = cpu;
}, tickMs).unref();

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const report: ProbeReport = { rss, heapUsed, stalls };
  stalls = [];
  if (process.connected) process.send?.(report);
}, 1000).unref();
process.channel?.unref();
