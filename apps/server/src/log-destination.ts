import { isatty } from 'node:tty';
import sonicBoom from 'sonic-boom';
import { terminalLine } from './terminal-line.ts';

/** Buffered lines are written after this time, or when they have this many bytes. */
const flushDelayMs = 50;
const minWriteBytes = 16_384;
/** The default capacity of a pipe on Linux: a larger write can block halfway. */
const maxWriteBytes = 65_536;
/** Bytes that wait for a reader. Further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** Where log lines go. */
export interface LogDestination {
  write(line: string): void;
  /** Resolves when everything has been written, or after `timeoutMs` if no process reads it. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Write what destinations have buffered when the process exits, also after an uncaught exception. */
const buffered = new Set<() => void>();
let isExitObserved = false;

/**
 * Writes lines together and asynchronously, so that a reader that stalls does not block the server. Lines wait while the disk is full or no
 * process reads them, and are dropped when too many wait. On a terminal, they have a form for people.
 *
 * @param to File descriptor or path. Default: stderr.
 */
export function createLogDestination(to: number | string = 2): LogDestination {
  if (!isExitObserved) process.once('exit', () => buffered.forEach((flushSync) => flushSync()));
  isExitObserved = true;
  const stream = new sonicBoom.SonicBoom({
    dest: to,
    sync: false,
    minLength: minWriteBytes,
    maxWrite: maxWriteBytes,
    maxLength: maxWaitingBytes,
  });
  // A line cannot tell that lines cannot be written. The stream keeps them for its next write.
  stream.on('error', () => undefined);
  stream.on('drain', () => {
    if (timer === undefined) buffered.delete(flushSync);
  });
  const format = typeof to === 'number' && isatty(to) ? terminalLine : (line: string): string => line;
  let timer: NodeJS.Timeout | undefined;
  /** Whether no process has read the lines before a flush timed out. */
  let isStalled = false;

  function flushBuffer(): void {
    timer = undefined;
    stream.flush();
  }
  function flushSync(): void {
    // A process cannot exit while one of its threads waits for the reader.
    if (isStalled) process.kill(process.pid, 'SIGKILL');
    try {
      stream.flushSync();
    } catch {
      // The disk is full, or the reader has closed the pipe.
    }
  }
  return {
    write(line) {
      stream.write(format(line));
      if (timer !== undefined) return;
      timer = setTimeout(flushBuffer, flushDelayMs).unref();
      buffered.add(flushSync);
    },
    async flush(timeoutMs = 1000) {
      const written = new Promise<boolean>((resolve) => stream.flush(() => resolve(true)));
      let timeout: NodeJS.Timeout | undefined;
      const timedOut = new Promise<boolean>((resolve) => (timeout = setTimeout(resolve, timeoutMs, false)));
      isStalled = !(await Promise.race([written, timedOut]));
      clearTimeout(timeout);
    },
  };
}
