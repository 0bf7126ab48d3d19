import { Worker } from 'node:worker_threads';
import { overloaded, RequestError } from '@modelwire/ports';
import type { Done, Order } from './protocol.ts';

/** What was done for an order. */
export type Outcome = Extract<Done, { readonly type: 'done' }>;

/** Carries out orders in a thread of its own, one after the other. */
export interface Speaker {
  /** @throws the signal's reason, a 503 when too many wait, a 504 when a sentence takes too long, or what went wrong in the thread. */
  order(asked: Order, signal: AbortSignal): Promise<Outcome>;
  /** Does it some time, whatever comes of it. */
  later(asked: Order): void;
  close(): Promise<void>;
}

interface Waiting {
  readonly asked: Order;
  resolve(done: Outcome): void;
  reject(error: Error): void;
}

/**
 * The thread is started at the first order, and again after it has died: what it had begun is lost then. It does not keep the process
 * alive. One that takes longer than `timeoutMs` for an order is given up.
 */
export function createSpeaker({
  queueLength,
  timeoutMs,
}: {
  readonly queueLength: number;
  readonly timeoutMs: number;
}): Speaker {
  const waiting = new Set<Waiting>();
  let current: Waiting | undefined;
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    // From source it is TypeScript, as published JavaScript.
    const file = import.meta.url.endsWith('.ts') ? './speech-thread.ts' : './speech-thread.js';
    // What a program was started with (`--eval`, `--input-type`) is not for its threads.
    const started = new Worker(new URL(file, import.meta.url), { execArgv: [] });
    started.on('message', (done: Done) => {
      finish((one) => (done.type === 'done' ? one.resolve(done) : one.reject(done.error)));
    });
    started.on('error', (error) => died(started, error instanceof Error ? error : new Error(String(error))));
    started.on('exit', () => died(started, new Error('the thread that speaks has ended')));
    return started;
  }

  function died(which: Worker, error: Error): void {
    if (thread !== which) return;
    thread = undefined;
    finish((one) => one.reject(error));
  }

  function finish(tell: (one: Waiting) => void): void {
    clearTimeout(timer);
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
    const at = (thread ??= start());
    at.ref();
    timer = setTimeout(() => {
      died(at, timedOut(timeoutMs));
      void at.terminate();
    }, timeoutMs);
    at.postMessage(first.asked);
  }

  return {
    order(asked, signal) {
      signal.throwIfAborted();
      if (waiting.size >= queueLength) throw overloaded(waiting.size / 8);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(one);
          // One that is at work is carried out to its end, for nobody.
          reject(signal.reason as Error);
        };
        const over = (): void => signal.removeEventListener('abort', leave);
        const one: Waiting = {
          asked,
          resolve: (done) => {
            over();
            resolve(done);
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
    later(asked) {
      if (!thread) return;
      waiting.add({ asked, resolve: () => undefined, reject: () => undefined });
      next();
    },
    async close() {
      const ending = thread;
      for (const one of waiting) one.reject(new Error('the engine is closed'));
      waiting.clear();
      await ending?.terminate();
    },
  };
}

function timedOut(timeoutMs: number): RequestError {
  return new RequestError(`A sentence was not spoken within ${timeoutMs} ms. Try again.`, {
    status: 504,
    code: 'speech_timeout',
  });
}
