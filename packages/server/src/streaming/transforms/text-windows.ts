/** Characters that a moderation model is given at once. */
export const windowLength = 4000;
/** Characters that two windows which follow each other have in common. A phrase up to this length is whole in one of them. */
export const windowOverlap = 1000;

/** The whole text in windows that overlap; their total length is at most 4/3 of the text's. A short text is one window. */
export function textWindows(text: string): string[] {
  const windows: string[] = [];
  for (let start = 0; start === 0 || start + windowOverlap < text.length; start += windowLength - windowOverlap)
    windows.push(text.slice(start, start + windowLength));
  return windows;
}
