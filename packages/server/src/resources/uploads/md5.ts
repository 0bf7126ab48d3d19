import { createTieredQueue } from '../../limits/tiered-queue.ts';
import type { TieredQueue } from '../../limits/tiered-queue.ts';

/** Maximum number of threads that compute checksums at once, and of requests that wait. */
const threads = 2;
const maxWaiting = 16;

/** Up to this size, a thread costs more time than it saves. */
export const inPlaceBytes = 8 * 1024 * 1024;
/** Size and number of the buffers that are passed to the thread and back. */
const pieceBytes = 1024 * 1024;
const pieces = 4;

/** Limits the computation of large checksums, since each uses a thread and reads gigabytes. When too many wait, requests get a 503. */
export function createChecksumQueue(waitMs: number): TieredQueue {
  return createTieredQueue({ concurrency: threads, maxWaiting, waitMs });
}

export interface ChecksumInit {
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly queue: TieredQueue;
  /** Returns the checksum of a large stream without reading it; undefined if it is unknown. */
  readonly fromParts?: (() => Promise<string | undefined>) | undefined;
}

/**
 * MD5 of a stream, in lower-case hexadecimal digits. Large ones are computed in another thread: eight gigabytes would block this one for a
 * quarter of a minute.
 *
 * @throws the signal's reason when it aborts; a 503 when too many checksums are being computed.
 */
export async function md5Of(
  source: AsyncIterable<Uint8Array>,
  { bytes, signal, queue, fromParts }: ChecksumInit,
): Promise<string> {
  if (bytes > inPlaceBytes) {
    const release = await queue.acquire('default', signal);
    try {
      return (await fromParts?.()) ?? (await onThread(source, signal));
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

/** Source text instead of a file, so that it runs from source and from a bundle. */
const program = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('md5');
parentPort.on('message', ({ piece, length }) => {
  if (!piece) {
    parentPort.postMessage({ digest: hash.digest('hex') });
    return;
  }
  hash.update(piece.subarray(0, length));
  parentPort.postMessage({ piece }, [piece.buffer]);
});`;

interface WorkerMessage {
  readonly digest?: string;
  /** The thread has processed the buffer, which can be reused. */
  readonly piece?: Uint8Array<ArrayBuffer>;
}

async function onThread(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(program, { eval: true });
  const free = Array.from({ length: pieces }, () => new Uint8Array(pieceBytes));
  const digest = Promise.withResolvers<string>();
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  function fail(error: unknown): void {
    failure ??= error instanceof Error ? error : new Error('the checksum could not be computed', { cause: error });
    digest.reject(failure);
    wake?.();
  }
  async function freeBuffer(): Promise<Uint8Array<ArrayBuffer>> {
    for (;;) {
      if (failure) throw failure;
      const piece = free.pop();
      if (piece) return piece;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  // Awaited only at the end; until then its failure is `failure`.
  digest.promise.catch(() => undefined);
  worker.on('message', (message: WorkerMessage) => {
    if (message.digest !== undefined) digest.resolve(message.digest);
    if (message.piece) free.push(message.piece);
    wake?.();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread ended')));
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    let piece = await freeBuffer();
    let length = 0;
    for await (const bytes of source) {
      for (let at = 0; at < bytes.byteLength;) {
        const chunk = bytes.subarray(at, at + pieceBytes - length);
        piece.set(chunk, length);
        at += chunk.byteLength;
        length += chunk.byteLength;
        if (length < pieceBytes) continue;
        worker.postMessage({ piece, length }, [piece.buffer]);
        piece = await freeBuffer();
        length = 0;
      }
    }
    worker.postMessage({ piece, length }, [piece.buffer]);
    worker.postMessage({});
    return await digest.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
