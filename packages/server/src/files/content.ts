import { rangeNotSatisfiable } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from '../request/call.ts';
import { bytesOf } from './bytes-of.ts';
import { attachment, safeMediaType } from './content-headers.ts';
import { rangeOf } from './range.ts';
import { readSegments } from './read-segments.ts';
import { findFile } from './stored.ts';
import { sendBytes } from './send-bytes.ts';

/** GET /files/{file_id}/content: all of it, or the one range that is asked for. */
export async function readFileContent(call: Call, kit: Kit): Promise<Reply> {
  const { file, mediaType, content } = await findFile(call, kit);
  // The bytes of a file never change, so its id names them.
  const etag = `"${file.id}"`;
  const asked = rangeOf(call.header('range'), call.header('if-range'), { bytes: file.bytes, etag });
  if (asked === 'none') throw rangeNotSatisfiable(file.bytes);
  const range = asked ?? { start: 0, end: file.bytes };
  return sendBytes(call, kit, {
    status: asked ? 206 : 200,
    headers: {
      'content-type': safeMediaType(mediaType),
      'content-length': String(range.end - range.start),
      'content-disposition': attachment(file.filename),
      'accept-ranges': 'bytes',
      etag,
      ...(asked && { 'content-range': `bytes ${range.start}-${range.end - 1}/${file.bytes}` }),
    },
    source: readSegments(bytesOf(kit).blobs, content, range),
  });
}
