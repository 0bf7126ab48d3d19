import { Worker } from 'node:worker_threads';
import { StoreError } from '@modelwire/store-sql/migrations';
import { errorOf } from './failure.ts';
import type { Order, Outcome, Report, SqlCall, ThreadInit } from './protocol.ts';

export interface ThreadOptions {
  readonly init: ThreadInit;
}

/** A thread with one connection. */
export interface DatabaseThread {
  /** @throws {StoreError} when the file cannot be opened. The thread has exited then. */
  open(): Promise<void>;
  /** Runs one batch at a time. Never rejects; when the thread dies, it does not resolve. */
  run(batch: readonly (readonly SqlCall[])[]): Promise<readonly Outcome[]>;
  /** Has no pending requests and does not keep the process alive. */
  idle(): void;
  /** Closes the connection, and resolves when the thread has exited. */
  close(): Promise<void>;
  /** Terminates the thread as soon as the running query returns. */
  terminate(): Promise<void>;
}

/** Under `node --watch`, threads also send Node the files they loaded. */
interface WatchReport {
  readonly type?: undefined;
}

/** `onExit` is called when the thread exits, with its error if it failed. */
export function startThread({ init }: ThreadOptions, onExit: (error: Error | undefined) => void): DatabaseThread {
  const here = import.meta.url;
  const worker = new Worker(new URL(here.endsWith('.ts') ? './thread.ts' : './thread.js', here), {
    workerData: init,
    name: `modelwire-sqlite-${init.writes ? 'writer' : 'reader'}`,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let opening: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let answer: ((outcomes: readonly Outcome[]) => void) | undefined;
  let failure: Error | undefined;
  const send = (order: Order) => worker.postMessage(order);
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      opening?.reject(failure ?? new StoreError('the database thread stopped', { code: 'THREAD' }));
      onExit(failure);
      resolve();
    });
  });

  worker.on('error', (error) => (failure = error instanceof Error ? error : new Error(String(error))));
  worker.on('message', (report: Report | WatchReport) => {
    switch (report.type) {
      case undefined:
        break;
      case 'ran':
        answer?.(report.outcomes);
        break;
      case 'opened':
        opening?.resolve();
        break;
      default:
        opening?.reject(errorOf(report));
    }
  });

  async function end(): Promise<void> {
    worker.ref();
    send({ type: 'close' });
    await gone;
  }

  return {
    async open() {
      try {
        await new Promise<void>((resolve, reject) => {
          opening = { resolve, reject };
          send({ type: 'open' });
        });
      } catch (error) {
        await worker.terminate();
        throw error;
      } finally {
        opening = undefined;
      }
    },
    run(batch) {
      worker.ref();
      return new Promise((resolve) => {
        answer = resolve;
        send({ type: 'run', batch });
      });
    },
    idle: () => worker.unref(),
    close: end,
    async terminate() {
      worker.unref();
      await worker.terminate();
    },
  };
}
