import type { Kit } from '../kit.ts';
import type { Call, Reply } from '../request/call.ts';
import { sendContent } from './send-content.ts';
import { findFile } from './stored.ts';

/** GET /files/{file_id}/content */
export async function readFileContent(call: Call, kit: Kit): Promise<Reply> {
  const { file, mediaType, content } = await findFile(call, kit);
  return sendContent(call, kit, { content, mediaType, filename: file.filename, etag: `"${file.id}"` });
}
