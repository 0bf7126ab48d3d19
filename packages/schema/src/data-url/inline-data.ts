import { isBase64 } from './base64.ts';
import { isDataUrl, parseDataUrl } from './data-url.ts';

/** A data URL with an image. */
export function isImageDataUrl(text: string): boolean {
  return parseDataUrl(text)?.mediaType.startsWith('image/') === true;
}

/** Audio in base64, plain or in a data URL. */
export function isAudioData(text: string): boolean {
  return isDataUrl(text) ? parseDataUrl(text)?.mediaType.startsWith('audio/') === true : isBase64(text);
}

/** A file in base64, plain or in a data URL. */
export function isFileData(text: string): boolean {
  return isDataUrl(text) ? parseDataUrl(text) !== undefined : isBase64(text);
}

/** The URL of an image, or a data URL with an image. */
export function isImageUrl(text: string): boolean {
  if (isDataUrl(text)) return isImageDataUrl(text);
  return /^https?:\/\//i.test(text.slice(0, 8)) && URL.canParse(text);
}
