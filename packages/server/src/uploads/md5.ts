/** Up to here a thread of its own costs more than it takes off this one. */
const inPlaceBytes = 8 * 1024 * 1024;
/** Bytes that are handed over at once, and how many such pieces may wait to be counted. */
const pieceBytes = 1024 * 1024;
const maxWaiting = 4;

/**
 * MD5 of a stream, in lower-case hexadecimal digits. Large ones are counted on another thread: eight gigabytes would keep this one from
 * its other requests for a quarter of a minute.
 *
 * @throws the signal's reason when it aborts.
 */
export async function md5Of(
  source: AsyncIterable<Uint8Array>,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
): Promise<string> {
  if (bytes > inPlaceBytes) return onThread(source, signal);
  const { createHash } = await import('node:crypto');
  const hash = createHash('md5');
  for await (const piece of source) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** A text, not a file: it runs the same from source and from a bundle. */
const program = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('md5');
parentPort.on('message', (piece) => {
  if (piece === null) parentPort.postMessage(hash.digest('hex'));
  else {
    hash.update(piece);
    parentPort.postMessage(null);
  }
});`;

async function onThread(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(program, { eval: true });
  let waiting = 0;
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  const digest = Promise.withResolvers<string>();
  const fail = (error: unknown): void => {
    failure ??= error instanceof Error ? error : new Error('the checksum broke off', { cause: error });
    digest.reject(failure);
    wake?.();
  };
  // Awaited only at the end; until then its failure is `failure`.
  digest.promise.catch(() => undefined);
  worker.on('message', (hex: string | null) => {
    if (hex !== null) digest.resolve(hex);
    waiting--;
    wake?.();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread ended')));
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    for await (const piece of inPieces(source)) {
      while (waiting >= maxWaiting && !failure) await new Promise<void>((resolve) => (wake = resolve));
      if (failure) throw failure;
      waiting++;
      worker.postMessage(piece, [piece.buffer]);
    }
    worker.postMessage(null);
    return await digest.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** The same bytes in pieces of their own, large enough to be worth handing over. */
async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(pieceBytes);
  let filled = 0;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.byteLength;) {
      const some = bytes.subarray(at, at + pieceBytes - filled);
      piece.set(some, filled);
      at += some.byteLength;
      filled += some.byteLength;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = new Uint8Array(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}
