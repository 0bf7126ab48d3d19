import type { ChatCompletionContentPartImage } from '@modelwire/schema/types';
import { toBase64 } from '../json/base64.ts';
import { checkImage } from '../media/images/read-image.ts';
import { readStoredFile } from './file-parts.ts';
import type { ChatInputLoading } from './file-parts.ts';

/** Chat requests contain images by URL only. The schema rejects this scheme in requests of clients. */
const fileScheme = 'modelwire-file:';

/** The URL of a stored image file, for chat requests that the server creates. */
export function imageFileUrl(fileId: string): string {
  return fileScheme + fileId;
}

/** The file ID in such a URL; undefined for other URLs. */
export function imageFileId(url: string): string | undefined {
  return url.startsWith(fileScheme) ? url.slice(fileScheme.length) : undefined;
}

/**
 * Replaces the URL of a stored image file by a data URL.
 *
 * @throws a 404 for a file that is not in the project, a 400 for one that is not an image.
 */
export async function loadStoredImage(
  part: ChatCompletionContentPartImage,
  { id, param }: { readonly id: string; readonly param: string },
  loading: ChatInputLoading,
): Promise<ChatCompletionContentPartImage> {
  const content = await readStoredFile(id, param, loading);
  const { mediaType, bytes } = checkImage(content.bytes, param);
  const data = toBase64(bytes);
  loading.memory.acquireNow(data.length - bytes.length);
  return { ...part, image_url: { ...part.image_url, url: `data:${mediaType};base64,${data}` } };
}
