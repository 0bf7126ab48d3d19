const OUTSIDE = /[^A-Za-z0-9+/]/;
const IMAGE_PREFIX = /^data:image\/[a-z0-9.+-]{1,64}(?:;[a-z0-9=.+-]{1,64})?;base64,/i;
const ANY_PREFIX = /^data:[a-z0-9.+-]{1,64}\/[a-z0-9.+-]{1,128}(?:;[a-z0-9=."+-]{1,128}){0,4};base64,/i;
/** The longest prefix of a data URL before its bytes; the expressions above are applied to it only. */
const PREFIX_MAX = 1024;

/**
 * Whether the text from `start` is base64 (standard alphabet, optional padding, at least one byte). Searches for a character outside the
 * alphabet, which is linear; `^[…]*={0,2}$` would keep a backtracking stack for megabytes.
 */
export function isBase64(text: string, start = 0): boolean {
  const data = start === 0 ? text : text.slice(start);
  const outside = data.search(OUTSIDE);
  if (outside === -1) return data.length > 0 && data.length % 4 !== 1;
  const padding = data.slice(outside, outside + 3);
  const endsWithPadding = outside + padding.length === data.length;
  return endsWithPadding && outside > 0 && (padding === '=' || padding === '==') && data.length % 4 === 0;
}

function isDataUrl(text: string, prefix: RegExp): boolean {
  const match = prefix.exec(text.slice(0, PREFIX_MAX));
  return match !== null && isBase64(text, match[0].length);
}

/** A data URL with an image in base64. */
export const isImageDataUrl = (text: string): boolean => isDataUrl(text, IMAGE_PREFIX);

/** Base64, plain or in a data URL. */
export const isFileData = (text: string): boolean =>
  /^data:/i.test(text.slice(0, 5)) ? isDataUrl(text, ANY_PREFIX) : isBase64(text);

/** The URL of an image, or a data URL with an image. */
export function isImageUrl(text: string): boolean {
  const scheme = text.slice(0, 8).toLowerCase();
  if (scheme.startsWith('data:')) return isImageDataUrl(text);
  return (scheme.startsWith('http://') || scheme.startsWith('https://')) && URL.canParse(text);
}
