import { Worker } from 'node:worker_threads';
import { StoreError } from '@modelwire/store-sql/migrations';
import { errorOf } from '../file/failure.ts';
import type { ThreadCommand, Outcome, ThreadReport, SqlCall, ThreadInit } from './protocol.ts';

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
  const moduleUrl = import.meta.url;
  const worker = new Worker(new URL(moduleUrl.endsWith('.ts') ? './thread.ts' : './thread.js', moduleUrl), {
    workerData: init,
    name: `modelwire-sqlite-${init.writes ? 'writer' : 'reader'}`,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let pendingOpen: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let resolveRun: ((outcomes: readonly Outcome[]) => void) | undefined;
  let failure: Error | undefined;
  const send = (command: ThreadCommand) => worker.postMessage(command);
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      pendingOpen?.reject(failure ?? new StoreError('the database thread stopped', { code: 'THREAD' }));
      onExit(failure);
      resolve();
    });
  });

  worker.on('error', (error) => (failure = error instanceof Error ? error : new Error(String(error))));
  worker.on('message', (message: ThreadReport | WatchReport) => {
    switch (message.type) {
      case undefined:
        break;
      case 'ran':
        resolveRun?.(message.outcomes);
        break;
      case 'opened':
        pendingOpen?.resolve();
        break;
      default:
        pendingOpen?.reject(errorOf(message));
    }
  });

  async function closeAndWait(): Promise<void> {
    worker.ref();
    send({ type: 'close' });
    await exited;
  }

  return {
    async open() {
      try {
        await new Promise<void>((resolve, reject) => {
          pendingOpen = { resolve, reject };
          send({ type: 'open' });
        });
      } catch (error) {
        await worker.terminate();
        throw error;
      } finally {
        pendingOpen = undefined;
      }
    },
    run(batch) {
      worker.ref();
      return new Promise((resolve) => {
        resolveRun = resolve;
        send({ type: 'run', batch });
      });
    },
    idle: () => worker.unref(),
    close: closeAndWait,
    async terminate() {
      worker.unref();
      await worker.terminate();
    },
  };
}
