import { crc32 } from 'node:zlib';
import { concatBytes } from '@modelwire/adapter-kit/internal';

/** The bytes of a line in the file, with their checksum: a line that has changed is not sent. */
export interface LineLocation {
  /** Where it is, with what belongs to its line break except the LF. */
  readonly start: number;
  readonly end: number;
  /** CRC-32 of these bytes; 0 if they could not be read. */
  readonly checksum: number;
}

/** A line of a file that is not blank. */
export interface SplitLine extends LineLocation {
  /** From 1; blank lines count. */
  readonly number: number;
  /** Without its line break; undefined if it could not be read. */
  readonly text: string | undefined;
  readonly problem?: 'too_long' | 'not_utf8';
}

interface LineSplitter {
  push(bytes: Uint8Array): readonly SplitLine[];
  /** Ends the input and returns its last line. */
  end(): readonly SplitLine[];
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines, whatever the pieces. Lines end with LF or CRLF, the last one also with the file; blank lines and a byte order
 * mark at the start are skipped. Keeps no more than one line of `maxBytes`: longer lines are discarded as they arrive.
 */
export function lineSplitter(maxBytes: number): LineSplitter {
  let number = 1;
  let start = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;

  function append(bytes: Uint8Array): void {
    // 4 more bytes for the line break and the byte order mark. A copy, because the memory of a piece may be reused.
    if (length <= maxBytes + 4) pieces.push(bytes.slice());
    length += bytes.length;
  }
  function finish(last: Uint8Array): SplitLine | undefined {
    let bytes = last;
    let isTooLong = false;
    if (length > 0) {
      append(last);
      isTooLong = length > maxBytes + 4;
      bytes = concatBytes(isTooLong ? [] : pieces);
    }
    const end = start + Math.max(length, last.length);
    const place = { number: number++, start, end, checksum: 0 };
    start = end + 1;
    pieces = [];
    length = 0;
    const content = lineContent(bytes, place.start);
    if (isTooLong || content.length > maxBytes) return { ...place, text: undefined, problem: 'too_long' };
    try {
      const text = decoder.decode(content);
      return text.trim() === '' ? undefined : { ...place, checksum: crc32(bytes), text };
    } catch {
      return { ...place, text: undefined, problem: 'not_utf8' };
    }
  }
  return {
    push(bytes) {
      const lines: SplitLine[] = [];
      let from = 0;
      for (let to = bytes.indexOf(lineFeed); to !== -1; to = bytes.indexOf(lineFeed, from)) {
        const line = finish(bytes.subarray(from, to));
        if (line) lines.push(line);
        from = to + 1;
      }
      if (from < bytes.length) append(bytes.subarray(from));
      return lines;
    },
    end() {
      const line = length > 0 ? finish(new Uint8Array()) : undefined;
      return line ? [line] : [];
    },
  };
}

// A byte order mark elsewhere is invalid JSON.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line. @param start Where it starts in the file. @throws TypeError if it is not valid UTF-8. */
export function decodeLine(bytes: Uint8Array, start: number): string {
  return decoder.decode(lineContent(bytes, start));
}

/** A line without its CR, and without the byte order mark of the file. */
function lineContent(bytes: Uint8Array, start: number): Uint8Array {
  const hasMark = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.subarray(hasMark ? 3 : 0, bytes.at(-1) === carriageReturn ? -1 : undefined);
}

export async function* splitLines(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<SplitLine> {
  const splitter = lineSplitter(maxBytes);
  for await (const piece of bytes) yield* splitter.push(piece);
  yield* splitter.end();
}
