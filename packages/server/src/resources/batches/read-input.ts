import type { BlobSegment, Blobs } from '@modelwire/ports';
import { yieldToEventLoop } from '../../timers.ts';

/**
 * How much is read in one go. A batch takes hours, and no store keeps a download open for so long: each piece is fetched whole and
 * then worked on.
 */
const pieceBytes = 512 * 1024;
/** How much of it is gone through before others have their turn: 2 ms of checking lines. */
const turnBytes = 32 * 1024;

/** The bytes of a file, piece by piece, read as slowly as they are asked for. */
export async function* readInput(blobs: Blobs, content: readonly BlobSegment[]): AsyncGenerator<Uint8Array> {
  for (const { key, bytes } of content) {
    for (let start = 0; start < bytes; start += pieceBytes) {
      const pieces: Uint8Array[] = [];
      const range = { start, end: Math.min(start + pieceBytes, bytes) };
      for await (const piece of blobs.read(key, range)) pieces.push(piece);
      for (const piece of pieces) {
        for (let at = 0; at < piece.length; at += turnBytes) {
          yield piece.subarray(at, at + turnBytes);
          await yieldToEventLoop();
        }
      }
    }
  }
}
