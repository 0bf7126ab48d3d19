import type { BlobSegment, Blobs } from '@modelwire/ports';
import { yieldToEventLoop } from '../../timers.ts';

/**
 * Bytes of one read. A batch takes hours, and no storage keeps a download open for so long: each piece is downloaded completely and then
 * processed.
 */
const pieceBytes = 512 * 1024;
/** Bytes that are processed before yielding to other requests: 2 ms of validation. */
const bytesPerTurn = 32 * 1024;

/** The bytes of a file in pieces, read on demand. */
export async function* readInput(blobs: Blobs, content: readonly BlobSegment[]): AsyncGenerator<Uint8Array> {
  for (const { key, bytes } of content) {
    for (let start = 0; start < bytes; start += pieceBytes) {
      const pieces: Uint8Array[] = [];
      const range = { start, end: Math.min(start + pieceBytes, bytes) };
      for await (const piece of blobs.read(key, range)) pieces.push(piece);
      for (const piece of pieces) {
        for (let at = 0; at < piece.length; at += bytesPerTurn) {
          yield piece.subarray(at, at + bytesPerTurn);
          await yieldToEventLoop();
        }
      }
    }
  }
}
