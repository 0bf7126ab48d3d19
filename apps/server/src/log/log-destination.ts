import { openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import sonicBoom from 'sonic-boom';
import { terminalLine } from './terminal-line.ts';

/** Buffered lines are written after this time, or when they have this many characters. */
const flushDelayMs = 50;
const maxBufferedCharacters = 49_152;
/** The default capacity of a pipe on Linux: a larger write can block halfway. */
const maxWriteBytes = 65_536;
/** Bytes that wait for a reader. Further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** How long an exiting process waits for a write that a thread has started: later lines must not overtake it. */
const threadWriteMs = 50;
/** Pause before the next attempt where a pipe does not block and is full. */
const busyMs = 10;

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
 * process reads them, and are dropped when too many wait. On a terminal, they are formatted for people.
 *
 * @param to File descriptor or path. Default: stderr.
 */
export function createLogDestination(to: number | string = 2): LogDestination {
  if (!isExitObserved) process.once('exit', () => buffered.forEach((flushSync) => flushSync()));
  isExitObserved = true;
  const file = typeof to === 'number' ? to : openSync(to, 'a');
  const stream = new sonicBoom.SonicBoom({
    dest: file,
    sync: false,
    maxWrite: maxWriteBytes,
    maxLength: maxWaitingBytes,
  });
  const format = isatty(file) ? terminalLine : (line: string): string => line;
  /** Lines that have not been given to the stream: it counts the bytes of what waits for each of its writes. */
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  /** Whether no process has read the lines before a flush timed out. */
  let isStalled = false;
  // A failure to write the log cannot be logged. The stream keeps the lines for its next write.
  stream.on('error', () => undefined);
  stream.on('drain', () => {
    isWriting = false;
    if (lines === '') buffered.delete(flushSync);
  });

  function writeLines(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    isWriting = true;
    stream.write(lines);
    lines = '';
  }
  function flushSync(): void {
    // A process cannot exit while one of its threads waits for the reader.
    if (isStalled) process.kill(process.pid, 'SIGKILL');
    if (isWriting) sleepSync(threadWriteMs);
    try {
      stream.flushSync();
      // Not by the stream, which would give them to a thread.
      writeSynchronously(file, Buffer.from(lines));
      lines = '';
    } catch {
      // The disk is full, or the reader has closed the pipe.
    }
  }
  return {
    write(line) {
      lines += format(line);
      buffered.add(flushSync);
      if (lines.length >= maxBufferedCharacters) writeLines();
      else timer ??= setTimeout(writeLines, flushDelayMs).unref();
    },
    async flush(timeoutMs = 1000) {
      writeLines();
      const written = new Promise<boolean>((resolve) => stream.flush(() => resolve(true)));
      let timeout: NodeJS.Timeout | undefined;
      const timedOut = new Promise<boolean>((resolve) => (timeout = setTimeout(resolve, timeoutMs, false)));
      isStalled = !(await Promise.race([written, timedOut]));
      clearTimeout(timeout);
    },
  };
}

/** @throws what a full disk and a pipe without a reader throw. */
function writeSynchronously(file: number, bytes: Buffer): void {
  for (let remaining = bytes; remaining.length > 0;) {
    try {
      remaining = remaining.subarray(writeSync(file, remaining));
    } catch (error) {
      if (!isBusy(error)) throw error;
      sleepSync(busyMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
