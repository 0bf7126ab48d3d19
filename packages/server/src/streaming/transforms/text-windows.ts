/** Number of characters that a moderation model receives at once. */
const windowLength = 4000;
/** Number of characters that consecutive windows share. A phrase up to this length is complete in one of them. */
export const windowOverlap = 1000;

/** Splits a text into overlapping windows; their total length is at most 4/3 of the text's. A short text is one window. */
export function textWindows(text: string): string[] {
  const windows: string[] = [];
  for (let start = 0; start === 0 || start + windowOverlap < text.length; start += windowLength - windowOverlap)
    windows.push(text.slice(start, start + windowLength));
  return windows;
}
