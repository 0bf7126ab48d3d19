import { Worker } from 'node:worker_threads';
import { overloaded } from '@modelwire/server';
import type { Look, Seen } from './protocol.ts';

/** Looks at images in a thread of its own, one after the other. */
export interface Looker {
  /** @throws the signal's reason, a 503 when too many wait, or what went wrong in the thread. */
  look(asked: Look, signal: AbortSignal): Promise<Seen>;
  close(): Promise<void>;
}

interface Waiting {
  readonly asked: Look;
  resolve(seen: Seen): void;
  reject(error: Error): void;
}

/** The thread is started at the first image, and again after it has died. It does not keep the process alive. */
export function looker(maxWaiting: number): Looker {
  const waiting = new Set<Waiting>();
  let current: Waiting | undefined;
  let thread: Worker | undefined;

  function start(): Worker {
    // From source it is TypeScript, as published JavaScript.
    const file = import.meta.url.endsWith('.ts') ? './look-thread.ts' : './look-thread.js';
    const started = new Worker(new URL(file, import.meta.url));
    started.on('message', (seen: Seen) => finish((done) => done.resolve(seen)));
    started.on('error', (error) => died(started, error instanceof Error ? error : new Error(String(error))));
    started.on('exit', () => died(started, new Error('the thread that looks at images has ended')));
    return started;
  }

  function died(which: Worker, error: Error): void {
    if (thread !== which) return;
    thread = undefined;
    finish((done) => done.reject(error));
  }

  function finish(tell: (done: Waiting) => void): void {
    const done = current;
    current = undefined;
    if (done) tell(done);
    next();
  }

  function next(): void {
    const [first] = waiting;
    if (current || !first) {
      if (!current) thread?.unref();
      return;
    }
    waiting.delete(first);
    current = first;
    thread ??= start();
    thread.ref();
    thread.postMessage(first.asked);
  }

  return {
    look(asked, signal) {
      signal.throwIfAborted();
      if (waiting.size >= maxWaiting) throw overloaded(waiting.size / 4);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(one);
          // One that is being looked at is looked at to its end, for nobody.
          reject(signal.reason as Error);
        };
        const over = (): void => signal.removeEventListener('abort', leave);
        const one: Waiting = {
          asked,
          resolve: (seen) => {
            over();
            resolve(seen);
          },
          reject: (error) => {
            over();
            reject(error);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(one);
        next();
      });
    },
    async close() {
      const ending = thread;
      for (const one of waiting) one.reject(new Error('the engine is closed'));
      waiting.clear();
      await ending?.terminate();
    },
  };
}
