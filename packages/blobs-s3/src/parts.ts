import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { interruptible } from '@modelwire/ports';

/**
 * Memory for parts, used again: the most that one store holds is a part for each write, and those on their way. What is not filled of a
 * part costs nothing.
 */
export interface PartMemory {
  take(): Buffer;
  /** Only what nobody sends any more. */
  giveBack(part: Buffer): void;
}

export function partMemory(partBytes: number, kept: number): PartMemory {
  const free: Buffer[] = [];
  return {
    // Not from the pool, and not filled with zeros.
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(partBytes),
    giveBack(part) {
      if (free.length < kept) free.push(part);
    },
  };
}

/** Part of the memory of a part, which is the whole of it but for the last. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly memory: Buffer;
}

/** The bytes of a source in parts of one size, the last one shorter. Whoever gets a part gives its memory back. */
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

/** In slices, with turns of the event loop between: 8 MiB at once would hold up every stream for 5 to 25 ms. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    if (at > 0) await turn();
    hash.update(bytes.subarray(at, at + hashedAtOnce));
  }
  return hash.digest('hex');
}
