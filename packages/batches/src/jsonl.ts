import { DecodeError, readChunks } from '@modelwire/core';

const NEWLINE = 10;
const MAX_LINE_BYTES = 64 * 1024 ** 2;

/**
 * Parses a JSONL stream line by line, with one line in memory. Lines end with LF or CRLF, the last one also with the end of the file;
 * empty lines are skipped. Leaving the loop cancels the stream. A line that is not JSON or is longer than `maxLineBytes` (default
 * 64 MiB) is a `DecodeError` with its number.
 */
export async function* readJsonLines<T>(
  stream: ReadableStream<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<T, void, undefined> {
  const pieces: Uint8Array[] = [];
  let bufferedBytes = 0;
  let number = 0;

  for await (const chunk of readChunks(stream)) {
    let start = 0;
    // In UTF-8 a newline byte is never part of another character, so the bytes can be searched.
    for (let end: number; (end = chunk.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      buffer(chunk.subarray(start, end));
      const text = takeLine();
      if (text !== '') yield parse(text);
    }
    buffer(chunk.subarray(start));
  }
  const text = takeLine();
  if (text !== '') yield parse(text);

  function buffer(piece: Uint8Array): void {
    bufferedBytes += piece.length;
    if (bufferedBytes > maxLineBytes) throw new DecodeError(`Line ${number + 1} is longer than ${maxLineBytes} bytes.`);
    if (piece.length > 0) pieces.push(piece);
  }

  function takeLine(): string {
    number++;
    const utf8 = new TextDecoder();
    let text = '';
    for (const piece of pieces.splice(0)) text += utf8.decode(piece, { stream: true });
    bufferedBytes = 0;
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
