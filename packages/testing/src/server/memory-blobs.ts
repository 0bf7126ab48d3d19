import { BlobMissingError } from '@modelwire/ports';
import type { ByteRange, Blobs } from '@modelwire/ports';

const pieceBytes = 256 * 1024;

/** A blob store in memory, for servers that end with their test. */
export function memoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  const writing = new Set<string>();
  let closed = false;
  const open = (key: string): void => {
    if (closed) throw new Error('the blob store is closed');
    if (!/^blob_[a-z0-9]+$/.test(key)) throw new TypeError(`'${key}' is not a blob key`);
  };
  return {
    async write(key, bytes, { signal } = {}) {
      open(key);
      signal?.throwIfAborted();
      if (blobs.has(key) || writing.has(key)) throw new Error(`the key '${key}' already exists`);
      writing.add(key);
      try {
        const content = await collect(bytes, signal);
        blobs.set(key, content);
        return content.length;
      } finally {
        writing.delete(key);
      }
    },
    read(key, range) {
      const content = (): Uint8Array => {
        open(key);
        const found = blobs.get(key);
        if (!found) throw new BlobMissingError(key);
        return found;
      };
      return readRange(content, range);
    },
    async remove(keys) {
      for (const key of keys) open(key);
      for (const key of keys) blobs.delete(key);
    },
    async check() {
      if (closed) throw new Error('the blob store is closed');
    },
    async close() {
      closed = true;
    },
  };
}

async function collect(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const onAbort = (): void => aborted.reject(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const source = bytes[Symbol.asyncIterator]();
  const all: Uint8Array[] = [];
  try {
    for (;;) {
      const next = await Promise.race([source.next(), aborted.promise]);
      if (next.done === true) return Buffer.concat(all);
      all.push(next.value.slice());
    }
  } catch (error) {
    void source.return?.().catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function* readRange(content: () => Uint8Array, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  const bytes = content();
  const { start, end } = range ?? { start: 0, end: bytes.length };
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || end > bytes.length) {
    throw new RangeError(`the range ${start} to ${end} is outside the ${bytes.length} bytes of the blob`);
  }
  for (let at = start; at < end; at += pieceBytes)
    yield Uint8Array.from(bytes.subarray(at, Math.min(end, at + pieceBytes)));
}
