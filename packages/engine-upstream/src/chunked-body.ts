/** A malformed chunked body. */
export class MalformedChunks extends Error {
  override readonly name = 'MalformedChunks';
}

const cr = 0x0d;
const lf = 0x0a;
/** Maximum number of hexadecimal digits in the size of a chunk, which is below 2⁴⁸ bytes. */
const maxSizeDigits = 12;
/** Maximum bytes of all chunk extensions of a reply, and of its trailers. Both are ignored. */
const maxIgnoredBytes = 64 * 1024;

type Expected =
  | 'size'
  | 'extension'
  | 'size-end'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'trailer-line'
  | 'trailer-lf'
  | 'end';

/** Decodes a chunked body (RFC 9112, section 7.1) from the bytes of a connection. */
export class ChunkedBody {
  #expected: Expected = 'size';
  /** Remaining bytes of the current chunk, or the digits of its size read so far. */
  #remaining = 0;
  #sizeDigits = 0;
  #ignoredBytes = 0;
  #consumed = 0;
  #isComplete = false;

  /** Number of bytes of the last call that belong to the body. */
  get consumed(): number {
    return this.#consumed;
  }

  /** Whether the last chunk and the trailers have been read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * The data of all chunks in `bytes`, up to the end of the body. It is compacted within `bytes`, which gives one slice for a hundred chunks
   * instead of a hundred slices that the reader would copy.
   *
   * @throws MalformedChunks
   */
  decode(bytes: Buffer): Buffer {
    const { length } = bytes;
    let begin = -1;
    let end = 0;
    let at = 0;
    while (at < length && !this.#isComplete) {
      if (this.#expected !== 'data') {
        this.#expected = this.#readFraming(bytes[at++] ?? 0);
        continue;
      }
      const size = Math.min(this.#remaining, length - at);
      if (begin === -1) begin = end = at;
      if (end !== at) bytes.copyWithin(end, at, at + size);
      end += size;
      at += size;
      this.#remaining -= size;
      if (this.#remaining === 0) this.#expected = 'data-cr';
    }
    this.#consumed = at;
    return bytes.subarray(Math.max(begin, 0), end);
  }

  /** Reads a byte that is not data, and returns what is expected after it. */
  #readFraming(byte: number): Expected {
    switch (this.#expected) {
      case 'size':
        return this.#readSize(byte);
      case 'extension':
        return this.#skipLine(byte, 'extension', 'size-end');
      case 'size-end':
        this.#sizeDigits = 0;
        return after(lf, byte, this.#remaining === 0 ? 'trailer' : 'data');
      case 'data-cr':
        return after(cr, byte, 'data-lf');
      case 'data-lf':
        return after(lf, byte, 'size');
      case 'trailer':
        return this.#skipLine(byte, 'trailer-line', 'end');
      case 'trailer-line':
        return this.#skipLine(byte, 'trailer-line', 'trailer-lf');
      case 'trailer-lf':
        return after(lf, byte, 'trailer');
      case 'end':
        this.#isComplete = byte === lf;
        return after(lf, byte, 'end');
      case 'data':
        return 'data';
    }
  }

  #readSize(byte: number): Expected {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      if (++this.#sizeDigits > maxSizeDigits) throw new MalformedChunks();
      this.#remaining = this.#remaining * 16 + digit;
      return 'size';
    }
    if (this.#sizeDigits === 0) throw new MalformedChunks();
    if (byte === cr) return 'size-end';
    if (byte === 0x3b || byte === 0x20 || byte === 0x09) return 'extension';
    throw new MalformedChunks();
  }

  /** Ignores a byte of a line: `rest` is expected after it, and `end` after the carriage return at the end of the line. */
  #skipLine(byte: number, rest: Expected, end: Expected): Expected {
    if (byte === cr) return end;
    if (byte === lf || ++this.#ignoredBytes > maxIgnoredBytes) throw new MalformedChunks();
    return rest;
  }
}

/** Returns what is expected after a byte that is required. */
function after(required: number, byte: number, next: Expected): Expected {
  if (byte !== required) throw new MalformedChunks();
  return next;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
