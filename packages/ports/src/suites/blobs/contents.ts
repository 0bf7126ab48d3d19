import type { Blobs, ByteRange } from '../../blobs.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new key, as the server generates them. */
export function blobKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(24));
  return `blob_${Array.from(random, (byte) => letters.charAt(byte % letters.length)).join('')}`;
}

/** The byte at a position of `generated`. Positions that a store could confuse have different neighbors. */
function byteAt(position: number): number {
  return (position ^ (position >>> 8) ^ (position >>> 16) ^ (position >>> 24)) & 0xff;
}

/** The bytes of `generated` from `start` on. */
export function expectedBytes(start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(end - start, 0));
  for (let index = 0; index < bytes.length; index++) bytes[index] = byteAt(start + index);
  return bytes;
}

/** A source of `length` bytes, in new pieces of `pieceBytes`. */
export async function* generated(bytes: number, pieceBytes = 64 * 1024): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes; at += pieceBytes) yield expectedBytes(at, Math.min(at + pieceBytes, bytes));
}

/** All bytes of a read. */
export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat(await Array.fromAsync(pieces)));
}

/** Whether the bytes are those of `generated`. Faster than `toEqual` for megabytes, which would also print them. */
function isGenerated(bytes: Uint8Array, start = 0): boolean {
  return bytes.every((byte, index) => byte === byteAt(start + index));
}

/** Reads all bytes without keeping them. Returns their number, and whether they are those of `generated`. */
export async function readAndVerify(
  blobs: Blobs,
  key: string,
  range?: ByteRange,
): Promise<{ readonly bytes: number; readonly isIntact: boolean }> {
  let bytes = 0;
  let isIntact = true;
  for await (const piece of blobs.read(key, range)) {
    isIntact &&= isGenerated(piece, (range?.start ?? 0) + bytes);
    bytes += piece.length;
  }
  return { bytes, isIntact };
}
