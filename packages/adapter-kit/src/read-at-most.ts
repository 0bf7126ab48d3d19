import { concatBytes } from './concat-bytes.ts';

/** The bytes of a body. @throws the error that `tooLong` makes when there are more than `maxBytes`. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLong();
    pieces.push(piece);
  }
  return concatBytes(pieces);
}
