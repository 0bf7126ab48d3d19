import { rangeNotSatisfiable } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import { ContentCorruptedError } from '@modelwire/ports';
import type { BlobSegment, ByteRange } from '@modelwire/ports';
import { openBytePipe } from '../../streaming/byte-pipe.ts';
import type { Call } from '../../call.ts';
import type { BytesReply } from '../reply.ts';
import { attachment, safeMediaType } from './content-headers.ts';
import { readSegments, sizeOf } from '../../media/files/read-segments.ts';

/** Immutable bytes with a name. */
export interface Content {
  readonly content: readonly BlobSegment[];
  readonly mediaType: string | undefined;
  readonly filename: string;
  /** With its quotation marks. */
  readonly etag: string;
}

/** Contents up to this size are verified before the status is sent. A larger download of damaged contents breaks off before its end. */
const verifiedAheadBytes = 256 * 1024;

/** Responds with the content or the requested range. Clients have uploaded it: browsers must not run it as part of this site. */
export async function sendContent(
  { method, header, logRecord }: Pick<Call, 'method' | 'header' | 'logRecord'>,
  server: ServerContext,
  { content, mediaType, filename, etag }: Content,
): Promise<BytesReply> {
  const { report, writeTimeoutMs: stallMs } = server.options;
  const size = sizeOf(content);
  // Only GET has ranges: HEAD describes the whole content (RFC 9110, section 14.2).
  const range = parseRange(method === 'HEAD' ? null : header('range'), header('if-range'), { bytes: size, etag });
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(size);
  const { start, end } = range ?? { start: 0, end: size };
  const source = readSegments(server, content, range);
  const isVerifiedAhead = !range && size <= verifiedAheadBytes;
  const bytes = await openBytePipe({ source: isVerifiedAhead ? readAhead(source) : source, stallMs });
  const done = bytes.done.then((failure) => {
    if (failure === undefined) return;
    if (failure instanceof ContentCorruptedError) {
      // It is reported where it was found.
      logRecord.error = 'content_corrupted';
      return;
    }
    logRecord.error = 'content_broke_off';
    report('bytes that were being sent could not be read', failure);
  });
  return {
    status: range ? 206 : 200,
    bytes,
    done,
    headers: {
      'content-type': safeMediaType(mediaType),
      'content-length': String(end - start),
      'content-disposition': attachment(filename),
      'accept-ranges': 'bytes',
      etag,
      ...(range && {
        'content-range': `bytes ${start}-${end - 1}/${size}`,
        // The checksum is that of the whole content.
        'x-modelwire-content-verified': 'false',
      }),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    },
  };
}

async function* readAhead(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  yield* pieces;
}

/**
 * The requested range (RFC 9110, section 14). Undefined for the whole content: no range, an invalid one, several, or an outdated
 * `If-Range`. `unsatisfiable` if the range is empty.
 */
export function parseRange(
  range: string | null,
  ifRange: string | null,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== null && ifRange.trim() !== etag) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}
