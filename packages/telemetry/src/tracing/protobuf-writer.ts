const initialBytes = 64 * 1024;
const maxKeptBytes = 1024 * 1024;

/**
 * Writes the wire format of Protocol Buffers. Callers write the tags of fields, `field << 3 | wireType`, as single bytes if they are below 128,
 * otherwise as varints.
 */
export class ProtobufWriter {
  position = 0;
  #buffer = Buffer.allocUnsafeSlow(initialBytes);

  /** Discards all bytes. Releases the buffer if it has become large. */
  clear(): void {
    this.position = 0;
    if (this.#buffer.length > maxKeptBytes) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** The size of the buffer in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** A copy of the bytes from `start` to the current position. */
  bytesFrom(start: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, start, this.position);
  }

  /** A view of all written bytes, valid until the next write. */
  written(): Uint8Array {
    return this.#buffer.subarray(0, this.position);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.position++] = value;
  }

  /** Writes an integer of 64 bits as a varint. Negative values take ten bytes. */
  varint(value: number): void {
    this.#reserve(10);
    const buffer = this.#buffer;
    if (value >= 0 && value < 2 ** 31) {
      let rest = value;
      while (rest > 127) {
        buffer[this.position++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      buffer[this.position++] = rest;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      buffer[this.position++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    buffer[this.position++] = Number(rest);
  }

  fixed32(value: number): void {
    this.#reserve(4);
    this.position = this.#buffer.writeUInt32LE(value, this.position);
  }

  double(value: number): void {
    this.#reserve(8);
    this.position = this.#buffer.writeDoubleLE(value, this.position);
  }

  /** Writes nanoseconds since the Unix epoch as fixed64. They exceed the safe integers, so that they are calculated in two parts. */
  nanoseconds([seconds, nanoseconds]: readonly [number, number]): void {
    const high = Math.floor(seconds / 65_536) * 1e9;
    const low = (high % 65_536) * 65_536 + (seconds % 65_536) * 1e9 + nanoseconds;
    this.fixed32(low >>> 0);
    this.fixed32(Math.floor(high / 65_536) + Math.floor(low / 2 ** 32));
  }

  /** Writes encoded bytes, such as those of `bytesFrom`. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.position);
    this.position += bytes.length;
  }

  /** Writes the length and the bytes of lowercase hexadecimal digits. */
  hex(digits: string): void {
    const length = digits.length / 2;
    this.#reserve(length + 1);
    this.#buffer[this.position++] = length;
    this.writeHexAt(this.position, digits);
    this.position += length;
  }

  /** Writes the bytes of lowercase hexadecimal digits at a position before the end of the reserved space. */
  writeHexAt(position: number, digits: string): void {
    const buffer = this.#buffer;
    for (let at = 0, to = position; at < digits.length; at += 2) {
      buffer[to++] = (hexDigit(digits.charCodeAt(at)) << 4) | hexDigit(digits.charCodeAt(at + 1));
    }
  }

  /** Writes the length and the bytes of a text in UTF-8. */
  string(text: string): void {
    const { length } = text;
    if (length < 128) {
      this.#reserve(length + 1);
      const buffer = this.#buffer;
      const start = this.position + 1;
      let at = 0;
      for (; at < length; at++) {
        const code = text.charCodeAt(at);
        if (code > 127) break;
        buffer[start + at] = code;
      }
      if (at === length) {
        buffer[this.position] = length;
        this.position = start + length;
        return;
      }
    }
    const bytes = Buffer.byteLength(text);
    this.varint(bytes);
    this.#reserve(bytes);
    this.position += this.#buffer.write(text, this.position, 'utf8');
  }

  /**
   * Starts a message of unknown length. Returns its start, which has to be passed to `endMessage` with the same `lengthBytes`.
   * @param lengthBytes The expected size of the encoded length: 1 for messages below 128 bytes, 2 below 16 KiB.
   */
  startMessage(lengthBytes: 1 | 2 = 1): number {
    this.#reserve(lengthBytes);
    this.position += lengthBytes;
    return this.position;
  }

  /** Ends a message and writes its length before it. Moves the message if its length takes more or fewer bytes than expected. */
  endMessage(start: number, lengthBytes: 1 | 2 = 1): void {
    const length = this.position - start;
    const shift = varintLength(length) - lengthBytes;
    if (shift > 0) this.#reserve(shift);
    const buffer = this.#buffer;
    if (shift !== 0) buffer.copyWithin(start + shift, start, this.position);
    // Not by `varint`, which would reserve space after the length, and so discard the message.
    let at = start - lengthBytes;
    let rest = length;
    for (; rest > 127; rest >>>= 7) buffer[at++] = (rest & 127) | 128;
    buffer[at] = rest;
    this.position += shift;
  }

  #reserve(bytes: number): void {
    const wanted = this.position + bytes;
    if (wanted <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.position));
    this.#buffer = larger;
  }
}

/** The length in bytes of a non-negative integer below 2^35 as a varint. */
export function varintLength(value: number): number {
  return value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : value < 268_435_456 ? 4 : 5;
}

/**
 * Returns the value of a hexadecimal digit. Has no branches, because random digits would cause mispredictions.
 * @param code The character code of `0` to `9` or `a` to `f`.
 */
function hexDigit(code: number): number {
  return (code & 15) + 9 * (code >> 6);
}
