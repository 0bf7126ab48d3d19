import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '@modelwire/store-sql/migrations';
import type { Statement } from '@modelwire/store-sql';
import { errorOf } from '../file/failure.ts';
import type { Outcome, Row, SqlCall } from './protocol.ts';
import { startThread } from './database-thread.ts';
import type { DatabaseThread, ThreadOptions } from './database-thread.ts';

export interface PoolOptions extends ThreadOptions {
  readonly threads: number;
  /** Units that are sent to a thread together. */
  readonly maxBatch: number;
  /** Milliseconds after which a unit fails, including the wait for a thread. */
  readonly operationTimeoutMs: number;
}

/** Threads with one connection each, and the queue of units. A thread that dies is replaced. */
export interface ThreadPool {
  /** Resolves when all connections are open. Without it, each is opened on demand. */
  open(): Promise<void>;
  run(unit: readonly Statement<unknown>[]): Promise<readonly (readonly Row[])[]>;
  /**
   * Whether only a restart of the process may help: threads died five times within a minute, or a replacement failed to start
   * five times in a row (the disk or the file is gone). Resets when a replacement starts.
   */
  hasFailed(): boolean;
  /** Resolves when all pending operations are done and the connections are closed. */
  close(): Promise<void>;
}

interface Pending {
  readonly unit: readonly SqlCall[];
  readonly resolve: (rows: readonly (readonly Row[])[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  /** Whether the promise was resolved or rejected. */
  settled: boolean;
}

interface Slot {
  thread: DatabaseThread | undefined;
  /** While a thread is being started for this slot. */
  starting: Promise<void> | undefined;
  /** Consecutive failed attempts to start its thread. */
  failedStarts: number;
  running: readonly Pending[];
}

const minuteMs = 60_000;
const maxExitsPerMinute = 5;
const maxFailedStarts = 5;
const longestBackoffMs = 5000;
/**
 * Maximum number of abandoned threads that still compute. Beyond it no replacements are started, so that slow queries do not
 * use every core.
 */
const maxAbandoned = 4;

export function threadPool(options: PoolOptions): ThreadPool {
  const { threads, maxBatch, operationTimeoutMs, init } = options;
  const slots: Slot[] = Array.from({ length: threads }, () => ({
    thread: undefined,
    starting: undefined,
    failedStarts: 0,
    running: [],
  }));
  const backoffAbort = new AbortController();
  let queue: Pending[] = [];
  let exitTimes: number[] = [];
  let abandoned = 0;
  let scheduled = false;
  let closing: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  const closedError = () => new StoreError('The store is closed.', { code: 'CLOSED' });

  async function start(slot: Slot): Promise<void> {
    const thread = startThread(options, (error) => onExit(slot, thread, error));
    await thread.open();
    slot.thread = thread;
    thread.idle();
  }

  function onExit(slot: Slot, thread: DatabaseThread, error: Error | undefined): void {
    if (slot.thread !== thread) return;
    slot.thread = undefined;
    const interrupted = slot.running;
    slot.running = [];
    exitTimes = [...recentExits(), performance.now()];
    const cause = error ? 'thread failed' : 'thread stopped';
    const message = `the database thread stopped: ${error?.message ?? 'without an error'}`;
    for (const pending of interrupted) {
      settle(pending, { error: new StoreError(message, { code: 'THREAD', outage: { dependency: 'sqlite', cause } }) });
    }
    void replace(slot);
  }

  /** Retries until it succeeds. Waiting units have their own timeout. */
  async function replace(slot: Slot): Promise<void> {
    if (slot.starting) return;
    slot.starting = restartWithBackoff(slot);
    await slot.starting;
    slot.starting = undefined;
    schedule();
  }

  async function restartWithBackoff(slot: Slot): Promise<void> {
    for (let attempt = Math.max(0, recentExits().length - 1); !closing; attempt++) {
      try {
        if (attempt > 0)
          await sleep(Math.min(longestBackoffMs, 50 * 2 ** attempt), undefined, {
            signal: backoffAbort.signal,
            ref: false,
          });
        await start(slot);
        slot.failedStarts = 0;
        return;
      } catch {
        // The disk may be available at the next attempt.
        slot.failedStarts++;
      }
    }
    if (slots.every(({ thread }) => !thread)) {
      for (const pending of queue) settle(pending, { error: closedError() });
      queue = [];
    }
    onIdle?.();
  }

  function recentExits(): number[] {
    const since = performance.now() - minuteMs;
    return exitTimes.filter((at) => at > since);
  }

  /** Units of one event-loop turn are sent to a thread as one batch. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      dispatch();
    });
  }

  function dispatch(): void {
    for (const slot of slots) {
      if (queue.length === 0) break;
      if (slot.thread && slot.running.length === 0) void runBatch(slot, slot.thread, queue.splice(0, maxBatch));
    }
    // Threads are started on demand.
    let missingThreads = queue.length - slots.filter(({ starting }) => starting !== undefined).length;
    for (const slot of slots) if (!slot.thread && !slot.starting && missingThreads-- > 0) void replace(slot);
    if (queue.length === 0 && slots.every(({ running }) => running.length === 0)) onIdle?.();
  }

  async function runBatch(slot: Slot, thread: DatabaseThread, batch: readonly Pending[]): Promise<void> {
    slot.running = batch;
    // Never rejects: a thread that dies calls `onExit`.
    const outcomes = await thread.run(batch.map(({ unit }) => unit));
    if (slot.thread !== thread) return;
    slot.running = [];
    for (const [index, pending] of batch.entries()) settle(pending, outcomes[index]);
    dispatch();
    if (slot.running.length === 0) thread.idle();
  }

  function settle(pending: Pending, outcome: Outcome | { readonly error: Error } | undefined): void {
    if (pending.settled) return;
    pending.settled = true;
    clearTimeout(pending.timer);
    if (outcome && 'error' in outcome) pending.reject(outcome.error);
    else if (outcome?.type === 'done') pending.resolve(outcome.rows);
    else pending.reject(outcome ? errorOf(outcome) : new StoreError('the database is not open', { code: 'NOT_OPEN' }));
  }

  function onTimeout(pending: Pending): void {
    const isQueued = queue.includes(pending);
    queue = queue.filter((other) => other !== pending);
    const cause = isQueued ? 'timeout: all threads are busy' : 'timeout';
    const isSlowQuery = !isQueued && !init.writes && maxBatch === 1;
    const outage = { dependency: 'sqlite', cause, ...(isSlowQuery && { isSlowQuery }) };
    settle(pending, { error: new StoreError('SQLite did not respond in time', { code: 'TIMEOUT', outage }) });
    const slot = slots.find(({ running }) => running.includes(pending));
    // A commit cannot be abandoned: its thread holds the lock of the file.
    if (slot?.thread && !init.writes && abandoned < maxAbandoned) abandon(slot, slot.thread);
    if (queue.length === 0) onIdle?.();
  }

  /** Abandons a reading thread and starts another. SQLite cannot be interrupted: the thread exits when its query returns. */
  function abandon(slot: Slot, thread: DatabaseThread): void {
    slot.thread = undefined;
    abandoned++;
    void thread.terminate().finally(() => {
      abandoned--;
    });
    queue = [...slot.running.filter(({ settled }) => !settled), ...queue];
    slot.running = [];
    void replace(slot);
  }

  async function finish(): Promise<void> {
    if (queue.length > 0 || slots.some(({ running }) => running.length > 0)) {
      await new Promise<void>((resolve) => (onIdle = resolve));
    }
    backoffAbort.abort();
    for (const pending of queue) settle(pending, { error: closedError() });
    queue = [];
    // A thread that is still being started would open the files after the store is closed.
    await Promise.all(slots.flatMap(({ starting }) => starting ?? []));
    const open = slots.flatMap(({ thread }) => (thread ? [thread] : []));
    for (const slot of slots) slot.thread = undefined;
    await Promise.all(open.map((thread) => thread.close()));
  }

  return {
    async open() {
      await Promise.all(slots.map(start));
    },
    run(unit) {
      if (closing) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        const pending: Pending = {
          unit: unit.map(({ sql, parameters, expected, freesSpace }) => ({ sql, parameters, expected, freesSpace })),
          resolve,
          reject,
          timer: setTimeout(() => onTimeout(pending), operationTimeoutMs),
          settled: false,
        };
        queue.push(pending);
        schedule();
      });
    },
    hasFailed: () =>
      recentExits().length >= maxExitsPerMinute || slots.some(({ failedStarts }) => failedStarts >= maxFailedStarts),
    close: () => (closing ??= finish()),
  };
}
