// A separate entry point (`@modelwire/adapter-kit/content-digest`): it needs Node.
import { createHash } from 'node:crypto';
import type { BlobSegment } from '@modelwire/ports';
import { ContentCorruptedError } from '@modelwire/ports';

/** Size and SHA-256 of contents. */
export type ContentDigest = Required<Omit<BlobSegment, 'key'>> & { readonly sha256: string };

/** Passes bytes on; `result` has their number and digest when all of them have passed. */
export function digested(source: AsyncIterable<Uint8Array>): {
  readonly stream: AsyncGenerator<Uint8Array>;
  readonly result: () => ContentDigest;
} {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      hash.update(piece);
      bytes += piece.byteLength;
      yield piece;
    }
  }
  return { stream: pass(), result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Verifies contents that are read whole, piece by piece. */
export interface ContentVerifier {
  /** Call it with each piece before the piece is used. @throws {ContentCorruptedError} for the last piece of contents that are damaged. */
  add(piece: Uint8Array): void;
  /** Call it after the last piece. @throws {ContentCorruptedError} if bytes are missing. */
  end(): void;
}

/** Contents without a digest are verified by their size only. */
export function createContentVerifier({ key, bytes, sha256 }: BlobSegment): ContentVerifier {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let received = 0;
  return {
    add(piece) {
      received += piece.byteLength;
      if (received > bytes) throw new ContentCorruptedError(key);
      hash?.update(piece);
      if (received === bytes && hash && hash.copy().digest('hex') !== sha256) throw new ContentCorruptedError(key);
    },
    end() {
      if (received < bytes) throw new ContentCorruptedError(key);
    },
  };
}
