import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { BytesReply } from '../../http/reply.ts';
import { sendContent } from '../../http/content/send-content.ts';
import { findFile } from './stored.ts';

/** GET /files/{file_id}/content */
export async function readFileContent(call: Call, server: ServerContext): Promise<BytesReply> {
  const { file, mediaType, content } = await findFile(call, server);
  return sendContent(call, server, { content, mediaType, filename: file.filename, etag: `"${file.id}"` });
}
