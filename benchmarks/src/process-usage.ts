import { readFileSync } from 'node:fs';

/** What a process has used so far, of all its threads. */
export interface ProcessUsage {
  readonly cpuMs: number;
  /** Bytes. */
  readonly rss: number;
  readonly peakRss: number;
}

/** Reads `/proc`: Linux only. Throws when the process has exited. */
export function usageOf(pid: number | undefined): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // User and system time in hundredths of a second. The name before them may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // A process that is exiting has no memory.
  const bytesOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { cpuMs: (Number(user) + Number(system)) * 10, rss: bytesOf('VmRSS'), peakRss: bytesOf('VmHWM') };
}
