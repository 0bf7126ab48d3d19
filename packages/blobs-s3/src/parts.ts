import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { interruptible } from '@modelwire/ports';

/** Reuses buffers for parts. At most one buffer for each write and one for each part upload exist. Unused pages cost no memory. */
export interface PartMemory {
  take(): Buffer;
  /** Returns a buffer that is no longer being sent. */
  giveBack(part: Buffer): void;
}

export function partMemory(partBytes: number, kept: number): PartMemory {
  const free: Buffer[] = [];
  return {
    // Not from Node's pool, and not zeroed.
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(partBytes),
    giveBack(part) {
      if (free.length < kept) free.push(part);
    },
  };
}

/** A part and the buffer that holds it. All but the last fill their buffer. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly memory: Buffer;
}

/** Splits a source into parts of one size; the last may be shorter. The consumer gives the buffers back. */
export async function* partsOf(
  source: AsyncIterable<Uint8Array>,
  memory: PartMemory,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  let filling: Buffer | undefined;
  let filled = 0;
  for await (const bytes of interruptible(source, signal)) {
    for (let at = 0; at < bytes.length;) {
      filling ??= memory.take();
      const taken = bytes.subarray(at, at + filling.length - filled);
      filling.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < filling.length) continue;
      yield { bytes: filling, memory: filling };
      filling = undefined;
      filled = 0;
    }
  }
  if (filling) yield { bytes: filling.subarray(0, filled), memory: filling };
}

const hashedAtOnce = 512 * 1024;

/** Hashes in slices and yields between them: 8 MiB at once would block the event loop for 5 to 25 ms. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    if (at > 0) await yieldToEventLoop();
    hash.update(bytes.subarray(at, at + hashedAtOnce));
  }
  return hash.digest('hex');
}
