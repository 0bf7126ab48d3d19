import type { BlobReadOptions, BlobSegment, Blobs, ByteRange } from '@modelwire/ports';

/** The bytes of several segments, or a range of them: only the segments in the range are read. */
export async function* readSegments(
  blobs: Blobs,
  content: readonly BlobSegment[],
  { start, end }: ByteRange,
  options?: BlobReadOptions,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const { key, bytes } of content) {
    const from = Math.max(0, start - offset);
    const to = Math.min(bytes, end - offset);
    offset += bytes;
    const range = from === 0 && to === bytes ? undefined : { start: from, end: to };
    if (from < to) yield* options ? blobs.read(key, range, options) : blobs.read(key, range);
    if (offset >= end) return;
  }
}
