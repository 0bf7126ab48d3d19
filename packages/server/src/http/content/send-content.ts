import { rangeNotSatisfiable } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { BlobSegment } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { BytesReply } from '../reply.ts';
import { attachment, safeMediaType } from './content-headers.ts';
import { parseRange } from './range.ts';
import { readSegments, sizeOf } from '../../media/files/read-segments.ts';
import { sendBytes } from './send-bytes.ts';

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

/** Responds with the content or the requested range. */
export function sendContent(
  call: Pick<Call, 'method' | 'header' | 'logRecord'>,
  server: ServerContext,
  { content, mediaType, filename, etag }: Content,
): Promise<BytesReply> {
  const bytes = sizeOf(content);
  // Only GET has ranges: HEAD describes the whole content (RFC 9110, section 14.2).
  const requestedRange = parseRange(call.method === 'HEAD' ? null : call.header('range'), call.header('if-range'), {
    bytes,
    etag,
  });
  if (requestedRange === 'unsatisfiable') throw rangeNotSatisfiable(bytes);
  const servedRange = requestedRange ?? { start: 0, end: bytes };
  return sendBytes(call, server, {
    status: requestedRange ? 206 : 200,
    headers: {
      'content-type': safeMediaType(mediaType),
      'content-length': String(servedRange.end - servedRange.start),
      'content-disposition': attachment(filename),
      'accept-ranges': 'bytes',
      etag,
      ...(requestedRange && {
        'content-range': `bytes ${servedRange.start}-${servedRange.end - 1}/${bytes}`,
        // The checksum is that of the whole content.
        'x-modelwire-content-verified': 'false',
      }),
    },
    source:
      bytes > verifiedAheadBytes || requestedRange
        ? readSegments(server, content, servedRange)
        : readAhead(readSegments(server, content)),
  });
}

async function* readAhead(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  yield* pieces;
}
