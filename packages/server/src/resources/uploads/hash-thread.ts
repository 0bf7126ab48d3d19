import type { Worker } from 'node:worker_threads';

/** A file that was written completely. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * MD5 of files, in a thread that reads them itself. A hash starts with its first update; its steps run in order. If the thread fails, all
 * current hashes fail; later hashes use a new thread.
 */
export interface HashThread {
  update(hash: number, file: WrittenFile): void;
  /**
   * Resolves when the updates so far are done; the hash may be updated further. Pending digests have priority over other hashes. @throws the
   * signal's reason, or why a file could not be read.
   */
  digest(hash: number, signal: AbortSignal): Promise<string>;
  drop(hash: number): void;
  /** Rejects the pending digests. */
  close(): Promise<void>;
}

/** A file system that does not respond blocks the thread. One file has at most 64 MB. */
const timeoutMs = 60_000;

/**
 * A string instead of a file, so that it works both from source and from a bundle. It does not follow symbolic links or block on FIFOs. The
 * pieces fit into the CPU cache.
 */
const program = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { closeSync, constants, fstatSync, openSync, readSync } = require('node:fs');
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const memory = Buffer.allocUnsafeSlow(256 * 1024);
const hashes = new Map();
function hashOf(id) {
  if (!hashes.has(id)) hashes.set(id, createHash('md5'));
  return hashes.get(id);
}
function update(hash, { path, bytes }) {
  const file = openSync(path, flags);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size !== bytes) throw new Error('the file of a part is not as it was written');
    for (let at = 0; at < bytes;) {
      const length = readSync(file, memory, 0, memory.length, at);
      if (length === 0) throw new Error('the file of a part was truncated');
      hash.update(memory.subarray(0, length));
      at += length;
    }
  } finally {
    closeSync(file);
  }
}
parentPort.on('message', ({ drop, id, file }) => {
  if (drop) {
    hashes.delete(id);
    return;
  }
  try {
    if (file) {
      update(hashOf(id), file);
      parentPort.postMessage({});
    } else parentPort.postMessage({ digest: hashOf(id).copy().digest('hex') });
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});`;

interface Reply {
  readonly digest?: string;
  readonly error?: string;
}

interface Digest {
  resolve(md5: string): void;
  reject(error: Error): void;
}

type Step = { readonly file: WrittenFile } | { readonly digest: Digest };

interface Steps {
  readonly waiting: Step[];
  digests: number;
  failure: Error | undefined;
}

export function createHashThread(): HashThread {
  const hashes = new Map<number, Steps>();
  let worker: Promise<Worker> | undefined;
  let running: { readonly steps: Steps; readonly step: Step } | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Why no thread can run steps: it failed and has not ended yet, or it is closed. */
  let threadFailure: Error | undefined;
  let isClosed = false;

  async function start(): Promise<Worker> {
    const { Worker } = await import('node:worker_threads');
    const started = new Worker(program, { eval: true, execArgv: [] });
    started.unref();
    started.on('message', finish);
    started.on('error', (error) => failThread(error instanceof Error ? error : new Error(String(error))));
    started.on('exit', () => {
      failThread(new Error('the thread ended'));
      worker = undefined;
      if (!isClosed) threadFailure = undefined;
    });
    return started;
  }

  function stepsOf(hash: number): Steps {
    let steps = hashes.get(hash);
    if (!steps) hashes.set(hash, (steps = { waiting: [], digests: 0, failure: undefined }));
    return steps;
  }

  function failSteps(steps: Steps, failure: Error): void {
    steps.failure ??= failure;
    for (const step of steps.waiting.splice(0)) if ('digest' in step) step.digest.reject(failure);
  }

  function failThread(error: Error): void {
    if (threadFailure) return;
    threadFailure = error;
    clearTimeout(timer);
    if (running && 'digest' in running.step) running.step.digest.reject(error);
    running = undefined;
    for (const steps of hashes.values()) failSteps(steps, error);
    // A blocked thread ends when its file system responds. No other thread is started until then, since it would block as well.
    void worker?.then((started) => started.terminate()).catch(() => undefined);
  }

  function failStart(error: unknown): void {
    failThread(error instanceof Error ? error : new Error(String(error)));
    worker = undefined;
    if (!isClosed) threadFailure = undefined;
  }

  function finish({ digest, error }: Reply): void {
    clearTimeout(timer);
    if (!running) return;
    const { steps, step } = running;
    running = undefined;
    if (error !== undefined) {
      const failure = new Error(error);
      if ('digest' in step) step.digest.reject(failure);
      failSteps(steps, failure);
    } else if ('digest' in step && digest !== undefined) step.digest.resolve(digest);
    next();
  }

  /** Hashes with pending digests come first, then the oldest one. */
  function choose(): readonly [hash: number, steps: Steps] | undefined {
    let chosen: readonly [number, Steps] | undefined;
    for (const entry of hashes) {
      if (entry[1].waiting.length === 0) continue;
      if (entry[1].digests > 0) return entry;
      chosen ??= entry;
    }
    return chosen;
  }

  function next(): void {
    if (running || threadFailure) return;
    const chosen = choose();
    if (!chosen) return;
    const [id, steps] = chosen;
    const step = steps.waiting.shift();
    if (!step) return;
    running = { steps, step };
    timer = setTimeout(() => failThread(new Error('the file system does not respond')), timeoutMs);
    timer.unref();
    worker ??= start();
    const message = 'file' in step ? { id, file: step.file } : { id };
    worker.then((started) => started.postMessage(message), failStart);
  }

  return {
    update(hash, file) {
      const steps = stepsOf(hash);
      steps.failure ??= threadFailure;
      if (steps.failure) return;
      steps.waiting.push({ file });
      next();
    },
    async digest(hash, signal) {
      signal.throwIfAborted();
      const steps = stepsOf(hash);
      steps.failure ??= threadFailure;
      if (steps.failure) throw steps.failure;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      steps.waiting.push({ digest: { resolve, reject } });
      steps.digests++;
      next();
      // Awaited below; it may reject while the thread starts.
      promise.catch(() => undefined);
      let started: Worker | undefined;
      try {
        started = await worker;
        // A pending digest keeps the process alive.
        started?.ref();
        return await promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
        steps.digests--;
        if (![...hashes.values()].some(({ digests }) => digests > 0)) started?.unref();
      }
    },
    drop(hash) {
      const steps = hashes.get(hash);
      if (!steps) return;
      hashes.delete(hash);
      failSteps(steps, new Error('the hash was dropped'));
      worker?.then((started) => started.postMessage({ drop: true, id: hash })).catch(() => undefined);
    },
    async close() {
      isClosed = true;
      failThread(new Error('the thread is closed'));
      await worker?.then((started) => started.terminate()).catch(() => undefined);
    },
  };
}
