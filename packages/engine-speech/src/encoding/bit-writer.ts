/** Bits, the highest first, into bytes that grow. */
export class BitWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #held = 0;
  #bits = 0;

  /** The lowest `count` bits of `value`; at most 24. */
  write(value: number, count: number): void {
    this.#held = ((this.#held << count) | (value & ((1 << count) - 1))) >>> 0;
    this.#bits += count;
    while (this.#bits >= 8) {
      this.#bits -= 8;
      this.#push((this.#held >>> this.#bits) & 0xff);
    }
    this.#held &= (1 << this.#bits) - 1;
  }

  /** So many zeros, then a one. */
  unary(zeros: number): void {
    for (; zeros >= 16; zeros -= 16) this.write(0, 16);
    this.write(1, zeros + 1);
  }

  /** Zeros up to a whole byte. */
  align(): void {
    if (this.#bits > 0) this.write(0, 8 - this.#bits);
  }

  /** What was written since `start`, in whole bytes. */
  bytes(start = 0): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(start, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
