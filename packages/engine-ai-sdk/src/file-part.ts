import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type {
  ChatCompletionContentPartFile,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
} from '@modelwire/schema/types';

const audioTypes = { mp3: 'audio/mpeg', wav: 'audio/wav' } as const;

/** An image, audio or file as a part of the prompt. The server has downloaded images, unless the model declares that it takes URLs. */
export function filePart(
  part: ChatCompletionContentPartImage | ChatCompletionContentPartInputAudio | ChatCompletionContentPartFile,
): LanguageModelV4FilePart {
  switch (part.type) {
    case 'image_url': {
      const { url, detail } = part.image_url;
      const options = detail && { providerOptions: { openai: { imageDetail: detail } } };
      const inline = readDataUrl(url);
      if (!inline) return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(url) }, ...options };
      return { type: 'file', mediaType: inline.mediaType, data: { type: 'data', data: inline.data }, ...options };
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return { type: 'file', mediaType: audioTypes[format], data: { type: 'data', data } };
    }
    case 'file': {
      const { file_data: fileData = '', filename } = part.file;
      const { mediaType, data } = readDataUrl(fileData) ?? { mediaType: unknownType, data: fileData };
      return {
        type: 'file',
        mediaType: mediaType === unknownType ? mediaTypeOf(data) : mediaType,
        data: { type: 'data', data },
        ...(filename !== undefined && { filename }),
      };
    }
  }
}

const unknownType = 'application/octet-stream';

/** The parts of a base64 data URL; undefined for other URLs. */
function readDataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const mediaType = /^data:([^;,]+)/.exec(url.slice(0, comma))?.[1] ?? unknownType;
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) };
}

/** PDF by its signature, UTF-8 without control characters as text. */
function mediaTypeOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? unknownType : 'text/plain';
  } catch {
    return unknownType;
  }
}
