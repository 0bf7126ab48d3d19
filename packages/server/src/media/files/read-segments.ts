import { ContentCorruptedError } from '@modelwire/ports';
import type { BlobReadOptions, BlobSegment, ByteRange } from '@modelwire/ports';
import { createContentVerifier } from '@modelwire/adapter-kit/content-digest';
import type { ContentVerifier } from '@modelwire/adapter-kit/content-digest';
import type { ServerContext } from '../../context.ts';
import { blobStorage } from './storage.ts';

type Server = Pick<ServerContext, 'options'>;

/**
 * The bytes of several segments, or a range of them: only the segments in the range are read. Segments that are read whole are verified.
 *
 * @throws {ContentCorruptedError} instead of the last bytes of a segment that is not as it was stored.
 */
export async function* readSegments(
  server: Server,
  content: readonly BlobSegment[],
  { start, end }: ByteRange = { start: 0, end: sizeOf(content) },
  options?: BlobReadOptions,
): AsyncGenerator<Uint8Array> {
  const { blobs } = blobStorage(server);
  let offset = 0;
  for (const segment of content) {
    const { key, bytes } = segment;
    const from = Math.max(0, start - offset);
    const to = Math.min(bytes, end - offset);
    offset += bytes;
    const range = from === 0 && to === bytes ? undefined : { start: from, end: to };
    if (from < to) {
      const source = options ? blobs.read(key, range, options) : blobs.read(key, range);
      yield* range ? source : verified(source, verifierOf(segment, server));
    }
    if (offset >= end) return;
  }
}

export function sizeOf(content: readonly BlobSegment[]): number {
  return content.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Verifies a segment that is read whole, and logs and counts damage. */
export function verifierOf(segment: BlobSegment, { options }: Server): ContentVerifier {
  const verifier = createContentVerifier(segment);
  function reporting(verify: () => void): void {
    try {
      verify();
    } catch (error) {
      if (error instanceof ContentCorruptedError) {
        options.report('stored contents are damaged', error);
        options.observer?.contentCorrupted?.();
      }
      throw error;
    }
  }
  return {
    add: (piece) => reporting(() => verifier.add(piece)),
    end: () => reporting(() => verifier.end()),
  };
}

async function* verified(source: AsyncIterable<Uint8Array>, verifier: ContentVerifier): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    verifier.add(piece);
    yield piece;
  }
  verifier.end();
}
