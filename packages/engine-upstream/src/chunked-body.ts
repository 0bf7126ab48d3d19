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
        this.#readFraming(bytes[at++] ?? 0);
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

  #readFraming(byte: number): void {
    switch (this.#expected) {
      case 'size':
        this.#readSize(byte);
        break;
      case 'extension':
        this.#skipLine(byte, 'size-end');
        break;
      case 'size-end':
        this.#require(lf, byte, this.#remaining === 0 ? 'trailer' : 'data');
        this.#sizeDigits = 0;
        break;
      case 'data-cr':
        this.#require(cr, byte, 'data-lf');
        break;
      case 'data-lf':
        this.#require(lf, byte, 'size');
        break;
      case 'trailer':
        this.#expected = 'trailer-line';
        this.#skipLine(byte, 'end');
        break;
      case 'trailer-line':
        this.#skipLine(byte, 'trailer-lf');
        break;
      case 'trailer-lf':
        this.#require(lf, byte, 'trailer');
        break;
      case 'end':
        this.#require(lf, byte, 'end');
        this.#isComplete = true;
        break;
      case 'data':
        break;
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      if (++this.#sizeDigits > maxSizeDigits) throw new MalformedChunks();
      this.#remaining = this.#remaining * 16 + digit;
    } else if (this.#sizeDigits === 0) throw new MalformedChunks();
    else if (byte === cr) this.#expected = 'size-end';
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#expected = 'extension';
    else throw new MalformedChunks();
  }

  /** Reads a byte that is required, before `next`. */
  #require(required: number, byte: number, next: Expected): void {
    if (byte !== required) throw new MalformedChunks();
    this.#expected = next;
  }

  /** Ignores a byte of a line; the carriage return at its end is before `next`. */
  #skipLine(byte: number, next: Expected): void {
    if (byte === cr) this.#expected = next;
    else if (byte === lf || ++this.#ignoredBytes > maxIgnoredBytes) throw new MalformedChunks();
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
