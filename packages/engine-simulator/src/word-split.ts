/**
 * A word longer than this many UTF-16 units is cut into parts of this length, because joining is quadratic in it. A cut
 * may add a token or so.
 */
export const longestWord = 256;

/**
 * Longest text, in UTF-16 units, that the split expression sees at once. On millions of letters without a break it
 * overflows its stack (RangeError). To count so much takes 0.05 ms, and 2.5 ms where all words are long and new.
 */
export const longestPiece = 1024;

/**
 * A text in pieces of at most `longestPiece`: cut before a space or tab that follows something else, where the tokenizer
 * always ends a word; without such a place before the last word of the piece, or within a word that fills it. Only the
 * latter two can change the count, by a token or so for each cut.
 */
export function* pieces(text: string, split: RegExp): Generator<string, void> {
  let start = 0;
  while (text.length - start > longestPiece) {
    const end = wholeCharacters(text, start + longestPiece);
    const cut = blankCut(text, start, end) ?? wordCut(text, start, end, split);
    yield text.slice(start, cut);
    start = cut;
  }
  if (start < text.length) yield text.slice(start);
}

/** Calls `use` for each word of a piece. Longer ones than `longestWord` come in parts. */
export function eachWord(piece: string, split: RegExp, use: (word: string) => void): void {
  let start = 0;
  while (start < piece.length) {
    const end = wordEnd(piece, start, split);
    while (end - start > longestWord) {
      const cut = wholeCharacters(piece, start + longestWord);
      use(piece.slice(start, cut));
      start = cut;
    }
    use(piece.slice(start, end));
    start = end;
  }
}

/** Words follow each other without a gap: the expression has an alternative for every character. */
function wordEnd(piece: string, start: number, split: RegExp): number {
  split.lastIndex = start;
  return split.test(piece) ? split.lastIndex : piece.length;
}

function blankCut(text: string, start: number, end: number): number | undefined {
  for (let at = end; at > start; at--) {
    const unit = text.charCodeAt(at);
    if ((unit === 32 || unit === 9) && /\S/.test(text.charAt(at - 1))) return at;
  }
  return undefined;
}

function wordCut(text: string, start: number, end: number, split: RegExp): number {
  const piece = text.slice(start, end);
  let last = 0;
  for (let at = wordEnd(piece, 0, split); at < piece.length; at = wordEnd(piece, at, split)) last = at;
  return last === 0 ? end : start + last;
}

/** `at`, or one less where it is between the halves of a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff ? at - 1 : at;
}
