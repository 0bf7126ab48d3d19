/** A line of an input file that is not blank. */
export interface SplitLine {
  /** From 1; blank lines count. */
  readonly number: number;
  /** Without its line break; undefined where it cannot be read. */
  readonly text: string | undefined;
  readonly problem?: 'too_long' | 'not_utf8';
}

export interface LineSplitter {
  push(bytes: Uint8Array): readonly SplitLine[];
  /** What is left when there are no more bytes. */
  end(): readonly SplitLine[];
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines, however they come. Lines end with LF or CRLF, the last one also with the file; blank lines and a byte
 * order mark at the beginning are passed over. Holds no more than one line of `maxBytes`: what is longer is dropped as it comes.
 */
export function lineSplitter(maxBytes: number): LineSplitter {
  // A byte order mark elsewhere is no JSON.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;

  function take(bytes: Uint8Array): void {
    // Room for the line break and the byte order mark, which are not the line's. A copy: the memory may be used again.
    if (length <= maxBytes + 4) pieces.push(bytes.slice());
    length += bytes.length;
  }
  function finish(last: Uint8Array): SplitLine | undefined {
    let bytes = last;
    if (length > 0) {
      take(last);
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
      if (start < bytes.length) take(bytes.subarray(start));
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
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
