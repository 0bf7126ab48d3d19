import { Worker } from 'node:worker_threads';
import { overloaded, RequestError } from '@modelwire/ports';
import type { Look, Seen } from './protocol.ts';

/** Looks at images in a thread of its own, one after the other. */
export interface Looker {
  /** @throws the signal's reason, a 503 when too many wait, a 504 when the image takes too long, or what went wrong in the thread. */
  look(asked: Look, signal: AbortSignal): Promise<Seen>;
  close(): Promise<void>;
}

interface Waiting {
  readonly asked: Look;
  resolve(seen: Seen): void;
  reject(error: Error): void;
}

export interface LookerInit {
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  /** The program of the thread. From source it is TypeScript, as published JavaScript. */
  readonly program?: URL;
}

const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './look-thread.ts' : './look-thread.js', import.meta.url);

/**
 * The thread is started at the first image, and again after it has died or has been terminated because an image took longer than
 * `timeoutMs`. It does not keep the process alive.
 */
export function looker({ maxWaiting, timeoutMs, program = ownProgram }: LookerInit): Looker {
  const waiting = new Set<Waiting>();
  let current: Waiting | undefined;
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(program);
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
    const running = (thread ??= start());
    running.ref();
    timer = setTimeout(() => {
      died(running, timedOut(timeoutMs));
      void running.terminate();
    }, timeoutMs);
    running.postMessage(first.asked);
  }

  return {
    look(asked, signal) {
      signal.throwIfAborted();
      if (waiting.size >= maxWaiting) throw overloaded(waiting.size / 4);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(one);
          // An image that is being examined is finished: a new thread has to load the weights, which takes longer than an image.
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

function timedOut(timeoutMs: number): RequestError {
  return new RequestError(
    `The image could not be moderated within ${timeoutMs} ms. Send a smaller image or try again.`,
    {
      status: 504,
      code: 'moderation_timeout',
    },
  );
}
