/** A line of an input file that is not blank. */
export interface SplitLine {
  /** From 1; blank lines count. */
  readonly number: number;
  /** Without its line break; undefined if it could not be read. */
  readonly text: string | undefined;
  readonly problem?: 'too_long' | 'not_utf8';
}

export interface LineSplitter {
  push(bytes: Uint8Array): readonly SplitLine[];
  /** Ends the input and returns its last line. */
  end(): readonly SplitLine[];
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines, whatever the pieces. Lines end with LF or CRLF, the last one also with the file; blank lines and a byte order
 * mark at the beginning are skipped. Keeps no more than one line of `maxBytes`: longer lines are discarded as they arrive.
 */
export function lineSplitter(maxBytes: number): LineSplitter {
  // A byte order mark elsewhere is invalid JSON.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;

  function append(bytes: Uint8Array): void {
    // 4 more bytes for the line break and the byte order mark. A copy, because the memory of a piece may be reused.
    if (length <= maxBytes + 4) pieces.push(bytes.slice());
    length += bytes.length;
  }
  function finish(last: Uint8Array): SplitLine | undefined {
    let bytes = last;
    if (length > 0) {
      append(last);
      bytes = length <= maxBytes + 4 ? joined(pieces, length) : last;
    }
    const line = number++;
    const tooLong = length > maxBytes + 4;
    pieces = [];
    length = 0;
    if (tooLong) return { number: line, text: undefined, problem: 'too_long' };
    if (line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1);
    if (bytes.length === 0) return undefined;
    if (bytes.length > maxBytes) return { number: line, text: undefined, problem: 'too_long' };
    try {
      const text = decoder.decode(bytes);
      return text.trim() === '' ? undefined : { number: line, text };
    } catch {
      return { number: line, text: undefined, problem: 'not_utf8' };
    }
  }
  return {
    push(bytes) {
      const lines: SplitLine[] = [];
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        const line = finish(bytes.subarray(start, end));
        if (line) lines.push(line);
        start = end + 1;
      }
      if (start < bytes.length) append(bytes.subarray(start));
      return lines;
    },
    end() {
      const line = length > 0 ? finish(new Uint8Array()) : undefined;
      return line ? [line] : [];
    },
  };
}

export async function* splitLines(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<SplitLine> {
  const splitter = lineSplitter(maxBytes);
  for await (const piece of bytes) yield* splitter.push(piece);
  yield* splitter.end();
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
