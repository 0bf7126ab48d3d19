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
  readonly content: Buffer;
}

/** Boxes of the file that are looked at. Each is a read from the storage. */
const maxFileBoxes = 16;
/** The start of `moov` that is read: its headers come before its tables. */
const maxMovieBytes = 1024 ** 2;
/** The longest that the API can state. */
const maxSeconds = 9999;

/**
 * Reads the headers of an MP4 file (ISO/IEC 14496-12). Undefined if it is none, is longer than 9,999 seconds, or has no picture or length.
 */
export async function readVideoMetadata(
  content: readonly BlobSegment[],
  server: Pick<ServerContext, 'options'>,
): Promise<VideoMetadata | undefined> {
  const movie = await readMovie(content, server);
  if (!movie) return undefined;
  const boxes = boxesIn(movie);
  const seconds = secondsOf(boxes);
  if (!(seconds > 0 && seconds <= maxSeconds)) return undefined;
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    const header = boxesIn(track.content).find(({ type }) => type === 'tkhd')?.content;
    if (!header || header.length < 84) continue;
    // The last two fields, in 1/65536 of a pixel. Tracks of sound have no size.
    const width = header.readUInt32BE(header.length - 8) >>> 16;
    const height = header.readUInt32BE(header.length - 4) >>> 16;
    if (width > 0 && height > 0) return { width, height, seconds };
  }
  return undefined;
}

/** The content of the box `moov`, or its start. */
async function readMovie(
  content: readonly BlobSegment[],
  server: Pick<ServerContext, 'options'>,
): Promise<Buffer | undefined> {
  async function read(start: number, end: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of readSegments(server, content, { start, end })) pieces.push(piece);
    return Buffer.concat(pieces);
  }
  const fileEnd = sizeOf(content);
  let start = 0;
  for (let count = 0; count < maxFileBoxes && start + 8 <= fileEnd; count++) {
    const { type, headBytes, bytes = fileEnd - start } = headOf(await read(start, Math.min(start + 16, fileEnd)));
    const end = start + bytes;
    if (bytes < headBytes || end > fileEnd || (count === 0 && type !== 'ftyp')) return undefined;
    const first = start + headBytes;
    if (type === 'moov') return read(first, Math.min(end, first + maxMovieBytes));
    start = end;
  }
  return undefined;
}

/** The boxes of one level. The last one may be cut. */
function boxesIn(content: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  let start = 0;
  while (start + 8 <= content.length) {
    const { type, headBytes, bytes = content.length - start } = headOf(content.subarray(start, start + 16));
    if (bytes < headBytes) break;
    boxes.push({ type, content: content.subarray(start + headBytes, start + bytes) });
    start += bytes;
  }
  return boxes;
}

/** `bytes` are those of the whole box, undefined if it extends to the end. */
function headOf(head: Buffer): { readonly type: string; readonly headBytes: number; readonly bytes?: number } {
  const declared = head.readUInt32BE(0);
  const type = head.toString('latin1', 4, 8);
  if (declared === 0) return { type, headBytes: 8 };
  if (declared !== 1 || head.length < 16) return { type, headBytes: 8, bytes: declared };
  return { type, headBytes: 16, bytes: Number(head.readBigUInt64BE(8)) };
}

/** NaN if there is no header with a length. */
function secondsOf(boxes: readonly Box[]): number {
  const header = boxes.find(({ type, content }) => type === 'mvhd' && content.length >= 32)?.content;
  if (!header) return NaN;
  const isLong = header.readUInt8(0) === 1;
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return duration / header.readUInt32BE(isLong ? 20 : 12);
}
