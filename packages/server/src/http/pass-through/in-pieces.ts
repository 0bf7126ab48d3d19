import { yieldToEventLoop } from '@modelwire/adapter-kit';

/** Bytes that are passed on in one turn of the event loop: those of one read of a socket. */
const pieceBytes = 64 * 1024;

/** Passes bytes on with a turn of the event loop after each piece, as if they arrived now: they are read again to estimate their tokens. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    if (at > 0) await yieldToEventLoop();
    yield bytes.subarray(at, at + pieceBytes);
  }
}
