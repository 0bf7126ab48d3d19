import { fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Buffered lines are written after this time, or when the buffer is full. */
const flushDelayMs = 50;
/**
 * Maximum bytes of an asynchronous write. Each write has a high fixed cost: it wakes a thread, which competes with the event loop if the
 * other cores are busy, and its completion wakes the event loop.
 */
const maxWriteBytes = 262_144;
/**
 * The default capacity of a pipe on Linux. A larger write can block halfway, and an exiting process cannot know how much of it has been
 * written.
 */
const maxBlockingWriteBytes = 65_536;
/** Additional space in the buffer: a line that is added just below the write limit usually still fits. */
const headroomBytes = 16_384;

/** Bytes that wait for a reader. Further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;
/** After a write has failed, lines are dropped for this long before the next attempt. */
const pauseMs = 10_000;
/** Pause before the next attempt where a pipe does not block and is full. */
const retryMs = 100;

/** How long an exiting process waits for a write that a thread has started. */
const threadWriteMs = 50;

/** Bytes that are collected. */
export interface LogBuffer {
  readonly bytes: Buffer;
  /** Number of bytes that are used. */
  length: number;
}

/** Where log lines go. */
export interface LogDestination {
  write(lines: string): void;
  /** A buffer with space for `bytes` more bytes. Write lines to it and add them to its length, synchronously: it is not kept. */
  reserve(bytes: number): LogBuffer;
  /**
   * Registers a function that writes its pending lines to buffers of `reserve`. It is called before `write` adds lines, at the start of
   * each flush, and when the process exits. Call `scheduleFlush` when a line becomes pending.
   */
  onBeforeWrite(writePending: () => void): void;
  /** Schedules a flush: buffered and pending lines are written within 50 ms, unless a reader stalls. */
  scheduleFlush(): void;
  /** Resolves when everything has been written, or after `timeoutMs` if no process reads it. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Write what destinations have collected. The process calls them when it exits, also after an uncaught exception. */
const pending = new Set<() => void>();
let isExitObserved = false;

/**
 * Collects lines and writes them together: a write for each line would cost more than the line. Writes are asynchronous, so that a reader
 * that stalls does not block the server. Lines are dropped while the disk is full, and when too many wait for the reader.
 *
 * The bytes are collected in buffers that are used again. The streams of Node and of pino take strings, and allocate several copies of
 * each: most of the cost of a line.
 *
 * @param to File descriptor or path. Default: stderr.
 */
export function createLogDestination(to: number | string = 2): LogDestination {
  if (!isExitObserved) process.once('exit', () => pending.forEach((flushSync) => flushSync()));
  isExitObserved = true;
  const file = typeof to === 'number' ? to : openSync(to, 'a');
  const writeLimitBytes = mayBlock(file) ? maxBlockingWriteBytes : maxWriteBytes;
  const bufferBytes = writeLimitBytes + headroomBytes;
  let collected: LogBuffer = { bytes: Buffer.allocUnsafeSlow(bufferBytes), length: 0 };
  let spare: Buffer | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Buffers that wait to be written, in order. While a write is in progress, its bytes are the first. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isWriting = false;
  let retryTimer: NodeJS.Timeout | undefined;
  /** Whether collected lines are to be written as soon as the write in progress has ended. */
  let isFlushDue = false;
  /** Whether a flush has timed out since the last time that everything was written. */
  let isStalled = false;
  /** After a failure, nothing is written before this time. */
  let pausedUntil = 0;
  const onEverythingWritten: (() => void)[] = [];
  const beforeWriteCallbacks: (() => void)[] = [];

  function writePendingLines(): void {
    for (const writePending of beforeWriteCallbacks) writePending();
  }
  function reserve(bytes: number): LogBuffer {
    if (collected.length >= writeLimitBytes || collected.length + bytes > collected.bytes.length) {
      writeCollected();
      timer?.refresh();
    }
    if (bytes > collected.bytes.length) {
      spare ??= collected.bytes;
      collected = { bytes: Buffer.allocUnsafeSlow(bytes), length: 0 };
    }
    scheduleFlush();
    return collected;
  }
  function scheduleFlush(): void {
    if (timer !== undefined) return;
    timer = setTimeout(flush, flushDelayMs);
    pending.add(flushSync);
  }
  function flush(): void {
    writePendingLines();
    clearTimeout(timer);
    timer = undefined;
    // Few bytes would occupy a buffer each time while the reader stalls.
    if (isWriting) isFlushDue = true;
    else writeCollected();
  }

  function writeCollected(): void {
    isFlushDue = false;
    if (collected.length === 0) return;
    const bytes = collected.bytes.subarray(0, collected.length);
    collected = { bytes: spare ?? Buffer.allocUnsafeSlow(bufferBytes), length: 0 };
    spare = undefined;
    enqueue(bytes);
  }
  function enqueue(bytes: Buffer): void {
    if (waitingBytes + bytes.buffer.byteLength > maxWaitingBytes || performance.now() < pausedUntil) {
      release(bytes);
      return;
    }
    pending.add(flushSync);
    waitingBytes += bytes.buffer.byteLength;
    waiting.push(bytes);
    if (!isWriting) writeNext();
  }
  function writeNext(): void {
    retryTimer = undefined;
    const [bytes] = waiting;
    isWriting = bytes !== undefined;
    if (bytes) write(file, bytes, 0, nextWriteBytes(), onWritten);
    else if (isFlushDue) writeCollected();
    if (isWriting) return;
    isStalled = false;
    // While the timer runs, functions of `onBeforeWrite` can have pending lines.
    if (collected.length === 0 && timer === undefined) pending.delete(flushSync);
    for (const resolve of onEverythingWritten.splice(0)) resolve();
  }
  function nextWriteBytes(): number {
    return Math.min(waiting[0]?.length ?? 0, writeLimitBytes);
  }
  function onWritten(error: NodeJS.ErrnoException | null, written: number): void {
    if (error && isTemporary(error)) {
      retryTimer = setTimeout(writeNext, retryMs);
      return;
    }
    if (error) {
      waiting.length = waitingBytes = 0;
      pausedUntil = performance.now() + pauseMs;
    } else removeWritten(written);
    writeNext();
  }
  function removeWritten(written: number): void {
    const [bytes] = waiting;
    if (!bytes) return;
    if (written < bytes.length) {
      waiting[0] = bytes.subarray(written);
      return;
    }
    waiting.shift();
    waitingBytes -= bytes.buffer.byteLength;
    release(bytes);
  }
  function release({ buffer }: Buffer): void {
    if (buffer.byteLength === bufferBytes) spare ??= Buffer.from(buffer);
  }

  function flushSync(): void {
    // A process cannot exit while one of its threads waits for the reader.
    if (isStalled) process.kill(process.pid, 'SIGKILL');
    if (isWriting && retryTimer === undefined) {
      // While the process exits, no event tells that the thread has finished its write. Later lines must not overtake it.
      sleepSync(threadWriteMs);
      removeWritten(nextWriteBytes());
    }
    // No thread writes from here on.
    isWriting = true;
    writePendingLines();
    writeCollected();
    for (const bytes of waiting.splice(0)) writeSynchronously(file, bytes);
  }
  return {
    write(lines) {
      writePendingLines();
      // UTF-8 has at most three bytes for each UTF-16 code unit.
      const maxEncodedBytes = 3 * lines.length;
      const into = reserve(maxEncodedBytes > bufferBytes ? Buffer.byteLength(lines) : maxEncodedBytes);
      into.length += into.bytes.write(lines, into.length);
    },
    reserve,
    onBeforeWrite: (writePending) => void beforeWriteCallbacks.push(writePending),
    scheduleFlush,
    async flush(timeoutMs = 1000) {
      flush();
      if (!isWriting) return;
      const everythingWritten = new Promise<void>((resolve) => onEverythingWritten.push(resolve));
      let timeout: NodeJS.Timeout | undefined;
      await Promise.race([everythingWritten, new Promise((resolve) => (timeout = setTimeout(resolve, timeoutMs)))]);
      clearTimeout(timeout);
      isStalled = isWriting;
    },
  };
}

/** Whether a write can block until a reader reads: true for pipes, sockets and terminals, false for files and `/dev/null`. */
function mayBlock(file: number): boolean {
  const stats = fstatSync(file);
  return !stats.isFile() && (!stats.isCharacterDevice() || isatty(file));
}

function isTemporary({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

/** Writes all bytes, unless the disk is full or the reader has closed the pipe. */
function writeSynchronously(file: number, bytes: Buffer): void {
  for (let remaining = bytes; remaining.length > 0;) {
    try {
      remaining = remaining.subarray(writeSync(file, remaining));
    } catch (error) {
      if (!(error instanceof Error) || !isTemporary(error)) return;
      sleepSync(retryMs);
    }
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
