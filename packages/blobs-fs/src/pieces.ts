import { interruptible } from '@modelwire/adapter-kit/internal';

/**
 * Large pieces need fewer system calls, small ones less memory. Measured for 512 MB: 16 KiB wrote 320 MB/s, 64 KiB 900, 256 KiB
 * 1,200, 1 MiB 1,500; read from the cache 0.7, 1.1, 1.5 and 1.5 GB/s.
 */
export const pieceBytes = 256 * 1024;

/**
 * Splits a source into pieces of `pieceBytes`; the last is shorter. Two buffers alternate: a piece is valid until the second
 * one after it is requested.
 */
export async function* splitIntoPieces(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Neither from Node's pool nor zeroed: unused pages cost no memory.
  let buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let spareBuffer: Buffer<ArrayBuffer> | undefined;
  let length = 0;
  for await (const bytes of interruptible(source, signal)) {
    for (let at = 0; at < bytes.length;) {
      const slice = bytes.subarray(at, at + pieceBytes - length);
      buffer.set(slice, length);
      at += slice.length;
      length += slice.length;
      if (length < pieceBytes) continue;
      yield buffer;
      [buffer, spareBuffer, length] = [spareBuffer ?? Buffer.allocUnsafeSlow(pieceBytes), buffer, 0];
    }
  }
  if (length > 0) yield buffer.subarray(0, length);
}
