// A separate entry point (`@modelwire/adapter-kit/worker-thread`): it needs Node.
import { Worker } from 'node:worker_threads';
import { overloaded } from '@modelwire/ports';

/** Runs tasks one at a time in a separate thread. */
export interface WorkerThread<Task, Result> {
  /**
   * Resolves with the reply of the thread. A task that is running when its signal aborts is completed, and its result is ignored.
   *
   * @throws the signal's reason, a 503 when too many tasks wait, `timeoutError`, or the error of the thread.
   */
  run(task: Task, signal: AbortSignal): Promise<Result>;
  /** Runs a task after those that wait and ignores its result. Does nothing if there is no thread. */
  post(task: Task): void;
  close(): Promise<void>;
}

export interface WorkerThreadInit<Reply, Result> {
  /** The program of the thread, which posts one reply for each task. */
  readonly program: URL;
  /** Converts a reply to the result of the task. If it throws, the task is rejected. */
  readonly toResult: (reply: Reply) => Result;
  readonly maxQueueLength: number;
  /** How many tasks the thread completes in a second, for `Retry-After`. */
  readonly tasksPerSecond: number;
  /** Milliseconds that a task may take before the thread is terminated. */
  readonly timeoutMs: number;
  readonly timeoutError: () => Error;
}

interface QueuedTask<Task, Reply> {
  readonly task: Task;
  settle(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * The thread starts with the first task, and again after it has failed or was terminated because of a timeout. It does not keep the
 * process alive while no task runs.
 */
export function createWorkerThread<Task, Reply, Result>(
  init: WorkerThreadInit<Reply, Result>,
): WorkerThread<Task, Result> {
  const { program, toResult, maxQueueLength, tasksPerSecond, timeoutMs, timeoutError } = init;
  const queue = new Set<QueuedTask<Task, Reply>>();
  let current: QueuedTask<Task, Reply> | undefined;
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    // Threads do not inherit options of the process, such as `--eval`.
    const started = new Worker(program, { execArgv: [] });
    started.on('message', (reply: Reply) => finish((task) => task.settle(reply)));
    started.on('error', (error) => fail(started, error instanceof Error ? error : new Error(String(error))));
    started.on('exit', () => fail(started, new Error('The worker thread has exited.')));
    return started;
  }

  function fail(failed: Worker, error: Error): void {
    if (thread !== failed) return;
    thread = undefined;
    finish((task) => task.reject(error));
  }

  function finish(settle: (task: QueuedTask<Task, Reply>) => void): void {
    clearTimeout(timer);
    const done = current;
    current = undefined;
    if (done) settle(done);
    startNext();
  }

  function startNext(): void {
    const [first] = queue;
    if (current || !first) {
      if (!current) thread?.unref();
      return;
    }
    queue.delete(first);
    current = first;
    const running = (thread ??= start());
    running.ref();
    timer = setTimeout(() => {
      fail(running, timeoutError());
      void running.terminate();
    }, timeoutMs);
    running.postMessage(first.task);
  }

  return {
    run(task, signal) {
      signal.throwIfAborted();
      if (queue.size >= maxQueueLength) throw overloaded(queue.size / tasksPerSecond);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          queue.delete(queued);
          reject(signal.reason as Error);
        };
        const queued: QueuedTask<Task, Reply> = {
          task,
          settle(reply) {
            signal.removeEventListener('abort', onAbort);
            resolve(new Promise((resolveResult) => resolveResult(toResult(reply))));
          },
          reject(error) {
            signal.removeEventListener('abort', onAbort);
            reject(error);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.add(queued);
        startNext();
      });
    },
    post(task) {
      if (!thread) return;
      queue.add({ task, settle: () => undefined, reject: () => undefined });
      startNext();
    },
    async close() {
      const ending = thread;
      for (const queued of queue) queued.reject(new Error('The engine is closed.'));
      queue.clear();
      await ending?.terminate();
    },
  };
}
