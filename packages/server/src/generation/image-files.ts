import type { ChatCompletionContentPartImage } from '@modelwire/schema/types';
import { toBase64 } from '../base64.ts';
import { checkImage } from '../media/images/read-image.ts';
import { readStoredFile } from './file-parts.ts';
import type { InputContext } from './input-context.ts';

/** Chat has images by URL only. No request of a client can contain this scheme. */
const scheme = 'modelwire-file:';

/** The URL, in a chat request that the server made, of an image in a stored file. */
export function imageFileUrl(fileId: string): string {
  return scheme + fileId;
}

/** ID of the file; undefined for other URLs. */
export function imageFileId(url: string): string | undefined {
  return url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
}

/**
 * The image of a stored file as a data URL.
 *
 * @throws a 404 for a file that is not in the project, a 400 for one that is not an image.
 */
export async function storedImagePart(
  part: ChatCompletionContentPartImage,
  { id, param }: { readonly id: string; readonly param: string },
  preparing: InputContext,
): Promise<ChatCompletionContentPartImage> {
  const content = await readStoredFile(id, param, preparing);
  const { mediaType, bytes } = checkImage(content.bytes, param);
  const data = toBase64(bytes);
  preparing.reserveMemory(data.length - bytes.length);
  return { ...part, image_url: { ...part.image_url, url: `data:${mediaType};base64,${data}` } };
}
