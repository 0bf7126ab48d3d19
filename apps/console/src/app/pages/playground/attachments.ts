import type { ChatCompletionContentPart } from '@modelwire/client';
import { readDataURL } from '../../components/read-data-url.ts';

/** Maximum size of an attachment, which is sent as base64 in the request. */
const maxAttachmentBytes = 20 * 1024 ** 2;

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly part: ChatCompletionContentPart;
}

let lastId = 0;

/** Reads a file as a content part: an image, audio, or a file. Throws an error with a message for the user. */
export async function readAttachment(file: File): Promise<Attachment> {
  if (file.size > maxAttachmentBytes) {
    throw new Error(`${file.name} is larger than 20 MB. Upload it under Files and refer to it by its ID.`);
  }
  const url = await readDataURL(file);
  lastId += 1;
  return { id: lastId, name: file.name, size: file.size, part: contentPart(file, url) };
}

function contentPart({ name, type }: File, url: string): ChatCompletionContentPart {
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  const data = url.slice(url.indexOf(',') + 1);
  if (type === 'audio/wav' || type === 'audio/x-wav')
    return { type: 'input_audio', input_audio: { data, format: 'wav' } };
  if (type === 'audio/mpeg') return { type: 'input_audio', input_audio: { data, format: 'mp3' } };
  return { type: 'file', file: { filename: name, file_data: url } };
}
