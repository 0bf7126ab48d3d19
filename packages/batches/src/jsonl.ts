import { DecodeError, readChunks } from '@modelwire/core';

const NEWLINE = 10;
const LONGEST_LINE = 64 * 1024 ** 2;

/**
 * The values of a file of JSON lines, each as soon as its line has come, in memory for one line. Lines end in LF or CRLF, the
 * last one also at the end of the file; empty ones are passed over. Leaving the loop cancels the stream. A line that is not
 * JSON or longer than `maxLineBytes` (default 64 MiB) is a `DecodeError` that tells its number.
 */
export async function* readJsonLines<T>(
  stream: ReadableStream<Uint8Array>,
  maxLineBytes = LONGEST_LINE,
): AsyncGenerator<T, void, undefined> {
  const pieces: Uint8Array[] = [];
  let held = 0;
  let number = 0;

  for await (const chunk of readChunks(stream)) {
    let start = 0;
    // A newline byte is never part of another character in UTF-8, so bytes can be searched.
    for (let end: number; (end = chunk.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      hold(chunk.subarray(start, end));
      const text = takeLine();
      if (text !== '') yield parse(text);
    }
    hold(chunk.subarray(start));
  }
  const text = takeLine();
  if (text !== '') yield parse(text);

  function hold(piece: Uint8Array): void {
    held += piece.length;
    if (held > maxLineBytes) throw new DecodeError(`Line ${number + 1} is longer than ${maxLineBytes} bytes.`);
    if (piece.length > 0) pieces.push(piece);
  }

  function takeLine(): string {
    number++;
    const utf8 = new TextDecoder();
    let text = '';
    for (const piece of pieces.splice(0)) text += utf8.decode(piece, { stream: true });
    held = 0;
    return (text + utf8.decode()).trim();
  }

  function parse(text: string): T {
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new DecodeError(`Line ${number} is not JSON.`, { body: text.slice(0, 2000), cause });
    }
  }
}
