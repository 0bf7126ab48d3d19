const minBlockBytes = 1024;
const maxBlockBytes = 64 * 1024;

/**
 * Buffers chunks of bytes as they arrive. All but the first and those of 64 KiB are copied into blocks whose size grows with the buffer: a chunk of
 * one byte that is kept as its own array takes about 600 bytes of memory, so a body sent in such chunks would take hundreds of times its size.
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
    const last = this.#blocks.at(-1) ?? new Uint8Array();
    const copied = chunk.subarray(0, last.byteLength - this.#used);
    last.set(copied, this.#used);
    this.#used += copied.byteLength;
    if (copied.byteLength < chunk.byteLength) this.#addBlock(chunk.subarray(copied.byteLength));
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

  #addBlock(bytes: Uint8Array): void {
    this.#used = bytes.byteLength;
    if (this.#length === 0 || bytes.byteLength >= maxBlockBytes) {
      this.#blocks.push(bytes);
      return;
    }
    const size = Math.min(Math.max(this.#length, minBlockBytes), maxBlockBytes);
    const block = new Uint8Array(Math.max(size, bytes.byteLength));
    block.set(bytes);
    this.#blocks.push(block);
  }
}
