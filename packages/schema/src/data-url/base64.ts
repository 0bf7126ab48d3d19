const OUTSIDE = /[^A-Za-z0-9+/]/;

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
