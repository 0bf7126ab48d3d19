import { once } from 'node:events';
import { createTieredQueue } from '../../limits/tiered-queue.ts';
import type { TieredQueue } from '../../limits/tiered-queue.ts';

/** Maximum number of threads that compute checksums at once, and of requests that wait. */
const threads = 2;
const maxWaiting = 16;

/** Up to this size, a thread costs more time than it saves. */
const inPlaceBytes = 8 * 1024 * 1024;

/** Limits the computation of large checksums, since each uses a thread and reads gigabytes. When too many wait, requests get a 503. */
export function createChecksumQueue(waitMs: number): TieredQueue {
  return createTieredQueue({ concurrency: threads, maxWaiting, waitMs });
}

interface ChecksumInit {
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly queue: TieredQueue;
}

/**
 * MD5 of a stream, in lower-case hexadecimal digits. Large ones are computed in another thread: eight gigabytes would block this one for a
 * quarter of a minute.
 *
 * @throws the signal's reason when it aborts; a 503 when too many checksums are being computed.
 */
export async function md5Of(
  source: AsyncIterable<Uint8Array>,
  { bytes, signal, queue }: ChecksumInit,
): Promise<string> {
  if (bytes > inPlaceBytes) {
    const release = await queue.acquire('default', signal);
    try {
      return await onThread(source, signal);
    } finally {
      release();
    }
  }
  const { createHash } = await import('node:crypto');
  const hash = createHash('md5');
  for await (const piece of source) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** Source text instead of a file, so that it runs from source and from a bundle. Replies to each piece when it is hashed, and to `null`. */
const program = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('md5');
parentPort.on('message', (piece) => parentPort.postMessage(piece ? void hash.update(piece) : hash.digest('hex')));`;

/** The thread hashes a piece while the next one is read. */
async function onThread(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(program, { eval: true, execArgv: [] });
  const ended = new AbortController();
  worker.on('error', (error) => ended.abort(error));
  worker.on('exit', () => ended.abort(new Error('the thread of a checksum ended')));
  const stop = AbortSignal.any([signal, ended.signal]);
  const reply = (): Promise<unknown[]> => once(worker, 'message', { signal: stop });
  try {
    let hashed: Promise<unknown> | undefined;
    for await (const piece of source) {
      await hashed;
      hashed = reply();
      // Awaited with the next piece; reading that may fail.
      hashed.catch(() => undefined);
      worker.postMessage(piece);
    }
    await hashed;
    worker.postMessage(null);
    return String((await reply())[0]);
  } catch (error) {
    stop.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
