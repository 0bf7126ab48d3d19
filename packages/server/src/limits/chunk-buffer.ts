const minBlockBytes = 1024;
const maxBlockBytes = 64 * 1024;

/**
 * Buffers chunks of bytes as they arrive. All but the first are copied into blocks whose size grows with the buffer: a chunk of one byte that
 * is kept as its own array takes about 600 bytes of memory, so a body sent in such chunks would take hundreds of times its size.
 */
export class ChunkBuffer {
  readonly #blocks: Uint8Array[] = [];
  #length = 0;
  /** Bytes used of the last block. */
  #used = 0;

  /** The bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** The number of arrays that contain them: few, even if the chunks are small. */
  get blockCount(): number {
    return this.#blocks.length;
  }

  add(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return;
    if (this.#length === 0) {
      this.#blocks.push(chunk);
      this.#used = chunk.byteLength;
    } else this.#copy(chunk);
    this.#length += chunk.byteLength;
  }

  /** All bytes in one array. A single chunk is returned without a copy. */
  join(): Uint8Array {
    const blocks = this.#blocks;
    const [first] = blocks;
    if (first && blocks.length === 1) return first;
    const joined = new Uint8Array(this.#length);
    let offset = 0;
    for (const block of blocks) {
      joined.set(block.subarray(0, this.#length - offset), offset);
      offset += block.byteLength;
    }
    return joined;
  }

  #copy(chunk: Uint8Array): void {
    const blocks = this.#blocks;
    let rest = chunk;
    for (let last = blocks.at(-1); rest.byteLength > 0; last = blocks.at(-1)) {
      if (!last || this.#used === last.byteLength) {
        const size = Math.min(Math.max(this.#length, minBlockBytes), maxBlockBytes);
        blocks.push(new Uint8Array(Math.max(size, rest.byteLength)));
        this.#used = 0;
        continue;
      }
      const copied = rest.subarray(0, last.byteLength - this.#used);
      last.set(copied, this.#used);
      this.#used += copied.byteLength;
      rest = rest.subarray(copied.byteLength);
    }
  }
}
