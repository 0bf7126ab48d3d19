import type { BlobSegment, Blobs, ByteRange } from '@modelwire/ports';

/** The bytes of a content in several pieces, or a range of them: only the pieces that it touches are read. */
export async function* readSegments(
  blobs: Blobs,
  content: readonly BlobSegment[],
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const { key, bytes } of content) {
    const from = Math.max(0, start - offset);
    const to = Math.min(bytes, end - offset);
    offset += bytes;
    if (from < to) yield* blobs.read(key, from === 0 && to === bytes ? undefined : { start: from, end: to });
    if (offset >= end) return;
  }
}
