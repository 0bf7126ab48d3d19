import type { Work } from './work.ts';

/** UTF-16 units of one window, and its overlap with the next. */
export const windowLength = 1024;
export const overlap = 128;
/** How far before the end of a window a space is searched for to split at. */
const slack = 96;

/** Lines can break anywhere; only an empty line ends a sentence. */
const emptyLine = /\n[^\n]*\n/;

/** Removes invisible and stretched characters, which must not separate words. */
export function removeInvisible(text: string): string {
  return (
    text
      // Format characters, combining marks and fillers are not letters in English.
      .replace(/[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0\u2800]+/gu, '')
      .replace(/[\s\p{Cc}]+/gu, (gap) => (emptyLine.test(gap) ? '\n' : ' '))
      .replace(/(.)\1{3,}/gsu, '$1$1$1')
  );
}

/** Splits a compacted text into overlapping windows. Each character is in at most two of them. */
export function* windows(text: string, work: Work): Generator<string> {
  let start = 0;
  while (start < text.length || start === 0) {
    const end = cut(text, start);
    work.steps += end - start;
    yield text.slice(start, end);
    if (end >= text.length) return;
    start = end - overlap;
  }
}

function cut(text: string, start: number): number {
  const limit = start + windowLength;
  if (limit >= text.length) return text.length;
  const end = text.slice(limit - slack, limit);
  const space = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  return space < 0 ? limit : limit - slack + space;
}
