import type { BlobSegment } from '@modelwire/ports';
import type { ServerContext } from '../context.ts';
import { readSegments, sizeOf } from './files/read-segments.ts';

export interface VideoMetadata {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

interface Box {
  readonly type: string;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

/** Boxes of one level that are looked at. */
const maxBoxes = 64;

/** Reads the headers of an MP4 file (ISO/IEC 14496-12). Undefined if it is none, or has no picture or length. */
export async function readVideoMetadata(
  content: readonly BlobSegment[],
  server: Pick<ServerContext, 'options'>,
): Promise<VideoMetadata | undefined> {
  async function read(start: number, length: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of readSegments(server, content, { start, end: start + length })) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async function boxesIn(start: number, end: number): Promise<readonly Box[]> {
    const boxes: Box[] = [];
    let at = start;
    while (at + 8 <= end && boxes.length < maxBoxes) {
      const head = await read(at, Math.min(16, end - at));
      const declared = head.readUInt32BE(0);
      const isLarge = declared === 1 && head.length === 16;
      const bytes = isLarge ? Number(head.readBigUInt64BE(8)) : declared === 0 ? end - at : declared;
      const headBytes = isLarge ? 16 : 8;
      if (bytes < headBytes || at + bytes > end) break;
      boxes.push({ type: head.toString('latin1', 4, 8), start: at + headBytes, end: at + bytes });
      at += bytes;
    }
    return boxes;
  }

  const files = await boxesIn(0, sizeOf(content));
  const movie = files.find(({ type }) => type === 'moov');
  if (files[0]?.type !== 'ftyp' || !movie) return undefined;
  const parts = await boxesIn(movie.start, movie.end);
  const header = parts.find(({ type, start, end }) => type === 'mvhd' && end - start >= 32);
  if (!header) return undefined;
  const times = await read(header.start, 32);
  const isLong = times.readUInt8(0) === 1;
  const duration = isLong ? Number(times.readBigUInt64BE(24)) : times.readUInt32BE(16);
  const seconds = duration / times.readUInt32BE(isLong ? 20 : 12);
  for (const track of parts.filter(({ type }) => type === 'trak')) {
    const [trackHeader] = (await boxesIn(track.start, track.end)).filter(({ type }) => type === 'tkhd');
    if (!trackHeader || trackHeader.end - trackHeader.start < 84) continue;
    // The last two fields, in 1/65536 of a pixel. Tracks of sound have no size.
    const size = await read(trackHeader.end - 8, 8);
    const [width, height] = [size.readUInt32BE(0) >>> 16, size.readUInt32BE(4) >>> 16];
    if (width > 0 && height > 0 && Number.isFinite(seconds) && seconds > 0) return { width, height, seconds };
  }
  return undefined;
}
