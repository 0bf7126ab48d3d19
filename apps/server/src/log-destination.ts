import { destination } from 'pino';

/** Buffered lines are written after this time, */
const flushDelayMs = 20;
/** or when the buffer has this many bytes. */
const flushBytes = 32_768;

/** Bytes that wait for a reader. Further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;
/** After a write has failed, lines are dropped for this long before the next attempt. */
const pauseMs = 10_000;

/** How long an exiting process waits for a write that a thread has started. */
const threadWriteMs = 50;

/** Where log lines go. */
export interface LogDestination {
  write(lines: string): void;
  /** Resolves when everything has been written, or after `timeoutMs` if nobody reads it. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Write what destinations have collected. The process calls them when it exits, also after an uncaught exception. */
const pending = new Set<() => void>();
let isExitObserved = false;

/**
 * Collects lines and writes them together: a write for each line would cost more than the line. Writes are asynchronous, so that a reader
 * that stalls does not block the server. Lines are dropped while the disk is full, and when too many wait for the reader.
 *
 * @param to File descriptor or path. Default: stderr.
 */
export function createLogDestination(to: number | string = 2): LogDestination {
  if (!isExitObserved) process.once('exit', () => pending.forEach((flushSync) => flushSync()));
  isExitObserved = true;
  let output = open();
  let isWriting = false;
  /** Whether a flush has timed out since the last time that everything was written. */
  let isStalled = false;
  /** Until when nothing is written, after a failure. */
  let pausedUntil: number | undefined;
  // Bytes instead of a string that grows: its parts would be objects that the garbage collector copies.
  const collected = Buffer.allocUnsafeSlow(2 * flushBytes);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;

  function open(): ReturnType<typeof destination> {
    const opened = destination({ dest: to, sync: false, maxLength: maxWaitingBytes });
    // Emitted when everything has been written.
    opened.on('drain', () => {
      isWriting = isStalled = false;
      if (length === 0) pending.delete(flushSync);
    });
    opened.on('error', () => {
      // It would repeat the write forever when the process exits.
      opened.flushSync = () => undefined;
      isWriting = false;
      pausedUntil = performance.now() + pauseMs;
      pending.delete(flushSync);
    });
    return opened;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    const lines = collected.toString('utf8', 0, length);
    length = 0;
    send(lines);
  }
  function send(lines: string): void {
    if (pausedUntil !== undefined) {
      if (performance.now() < pausedUntil) return;
      pausedUntil = undefined;
      output.destroy();
      output = open();
    }
    isWriting = true;
    pending.add(flushSync);
    output.write(lines);
  }
  function flushSync(): void {
    // A process cannot exit while one of its threads waits for the reader.
    if (isStalled) process.kill(process.pid, 'SIGKILL');
    // While the process exits, no event tells that the thread has finished its write. Later lines must not overtake it.
    if (isWriting) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, threadWriteMs);
    flush();
    output.flushSync();
  }
  return {
    write(lines) {
      // UTF-8 has at most three bytes for each UTF-16 code unit.
      const most = 3 * lines.length;
      if (length + most > collected.length) flush();
      if (most > collected.length) {
        send(lines);
        return;
      }
      length += collected.write(lines, length);
      if (length >= flushBytes) flush();
      else if (timer === undefined) {
        timer = setTimeout(flush, flushDelayMs);
        pending.add(flushSync);
      }
    },
    async flush(timeoutMs = 1000) {
      flush();
      if (!isWriting) return;
      const written = new Promise((resolve) => output.once('drain', resolve));
      let timeout: NodeJS.Timeout | undefined;
      await Promise.race([written, new Promise((resolve) => (timeout = setTimeout(resolve, timeoutMs)))]);
      clearTimeout(timeout);
      isStalled = isWriting;
    },
  };
}
