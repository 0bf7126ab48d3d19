import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from '../config/config-error.ts';

/** A file of JSON lines, or what would be written to one. */
export interface LinesDigest {
  readonly count: number;
  readonly sha256: string;
}

/** Writes one JSON line for each value. The file is readable only by this user, and durable when this resolves. */
export async function writeLines(path: string, chunks: AsyncIterable<readonly unknown[]>): Promise<LinesDigest> {
  const digest = createDigest();
  async function* texts(): AsyncGenerator<string> {
    for await (const chunk of chunks) yield digest.add(chunk);
  }
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  // Errors of writing do not contain the path.
  file.on('error', (error) => {
    if ('syscall' in error) Object.assign(error, { path });
  });
  await pipeline(Readable.from(texts()), file);
  return digest.result();
}

/** The digest of the file that `writeLines` would write. */
export async function digestLines(chunks: AsyncIterable<readonly unknown[]>): Promise<LinesDigest> {
  const digest = createDigest();
  for await (const chunk of chunks) digest.add(chunk);
  return digest.result();
}

function createDigest() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    /** Returns the lines. */
    add(values: readonly unknown[]): string {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      count += values.length;
      hash.update(text);
      return text;
    },
    result: (): LinesDigest => ({ count, sha256: hash.digest('hex') }),
  };
}

export interface ReadLinesOptions<Value> {
  readonly parse: (value: unknown) => Value;
  /** Lines to leave out at the beginning. */
  readonly skip: number;
  /** Lines of a chunk, which is also ended by about 2 MB of text. */
  readonly chunkSize: number;
  /** Longest line in bytes. Default: the longest string. */
  readonly maxLineBytes?: number;
}

const maxChunkBytes = 2_000_000;
const lineFeed = 10;

/**
 * Reads a file of JSON lines in chunks: the memory does not depend on the size of the file.
 *
 * @throws ConfigError that names the first line that is not valid.
 */
export async function* readLines<Value>(
  path: string,
  { parse, skip, chunkSize, maxLineBytes = constants.MAX_STRING_LENGTH }: ReadLinesOptions<Value>,
): AsyncGenerator<readonly Value[]> {
  let chunk: Value[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of splitLines(path, maxLineBytes)) {
    if (number++ < skip) continue;
    try {
      chunk.push(parse(JSON.parse(line) as unknown));
    } catch {
      throw invalidLine(path, number);
    }
    bytes += line.length;
    if (chunk.length < chunkSize && bytes < maxChunkBytes) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Not `readline`, which also splits at U+2028, which JSON does not escape. */
async function* splitLines(path: string, maxLineBytes: number): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      add(piece.subarray(start, end));
      yield Buffer.concat(pieces).toString('utf8');
      pieces = [];
      bytes = 0;
      number++;
      start = end + 1;
    }
    if (start < piece.length) add(piece.subarray(start));
  }
  if (bytes > 0) throw invalidLine(path, number);
  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > maxLineBytes) throw invalidLine(path, number);
    pieces.push(part);
  }
}

function invalidLine(path: string, number: number): ConfigError {
  return new ConfigError(`Line ${number} of ${path} is invalid: the file was changed. Export again.`);
}
