import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { interruptible } from '@modelwire/adapter-kit/internal';

/** Reuses buffers for parts. At most one buffer for each write and one for each part upload exist. Unused pages cost no memory. */
export interface BufferPool {
  acquire(): Buffer;
  /** Returns a buffer that is no longer being sent. */
  release(part: Buffer): void;
}

export function createBufferPool(partBytes: number, maxFree: number): BufferPool {
  const free: Buffer[] = [];
  return {
    // Not from Node's pool, and not zeroed.
    acquire: () => free.pop() ?? Buffer.allocUnsafeSlow(partBytes),
    release(part) {
      if (free.length < maxFree) free.push(part);
    },
  };
}

/** A part and the buffer that holds it. All but the last fill their buffer. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly buffer: Buffer;
}

/** Splits a source into parts of one size; the last may be shorter. The consumer releases the buffers. */
export async function* splitIntoParts(
  source: AsyncIterable<Uint8Array>,
  buffers: BufferPool,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  let buffer: Buffer | undefined;
  let length = 0;
  for await (const bytes of interruptible(source, signal)) {
    for (let at = 0; at < bytes.length;) {
      buffer ??= buffers.acquire();
      const slice = bytes.subarray(at, at + buffer.length - length);
      buffer.set(slice, length);
      at += slice.length;
      length += slice.length;
      if (length < buffer.length) continue;
      yield { bytes: buffer, buffer };
      buffer = undefined;
      length = 0;
    }
  }
  if (buffer) yield { bytes: buffer.subarray(0, length), buffer };
}

const hashSliceBytes = 512 * 1024;

/** Hashes in slices and yields between them: 8 MiB at once would block the event loop for 5 to 25 ms. */
export async function computeSha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashSliceBytes) {
    if (at > 0) await yieldToEventLoop();
    hash.update(bytes.subarray(at, at + hashSliceBytes));
  }
  return hash.digest('hex');
}
