import type { Work } from './work.ts';

/** UTF-16 units of one window, and how much of it the next one sees again. */
export const windowLength = 1024;
export const overlap = 128;
/** How far back from the end of a window we look for a space to cut at. */
const slack = 96;

/** Lines are broken anywhere; only an empty line ends a sentence. */
const emptyLine = /\n[^\n]*\n/;

/** Nothing of a text that is hidden in characters nobody sees, or stretched out, may push its words apart. */
export function compact(text: string): string {
  return (
    text
      // Format characters, marks that combine, fillers: none of them is a letter to a reader of English.
      .replace(/[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0\u2800]+/gu, '')
      .replace(/[\s\p{Cc}]+/gu, (gap) => (emptyLine.test(gap) ? '\n' : ' '))
      .replace(/(.)\1{3,}/gsu, '$1$1$1')
  );
}

/** Cuts a compacted text into windows that overlap. Each character is in at most two of them. */
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
