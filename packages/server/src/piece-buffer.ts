/** Joins pieces of bytes as they arrive. */
export interface PieceBuffer {
  /** The bytes so far. */
  readonly length: number;
  /** The number of arrays that contain them: few, however small the pieces were. */
  readonly blockCount: number;
  add(piece: Uint8Array): void;
  /** All bytes in one array. A single piece is returned as it came. */
  join(): Uint8Array;
}

const minBlockBytes = 1024;
const maxBlockBytes = 64 * 1024;

/**
 * Copies all pieces but the first into blocks that grow with what has arrived. A piece of one byte that is kept as an array of its own
 * takes some 600 bytes of memory, so that a body sent in such pieces would take hundreds of times its size.
 */
export function createPieceBuffer(): PieceBuffer {
  return new Blocks();
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Blocks implements PieceBuffer {
  readonly #blocks: Uint8Array[] = [];
  #length = 0;
  /** Bytes used of the last block. */
  #used = 0;

  get length(): number {
    return this.#length;
  }

  get blockCount(): number {
    return this.#blocks.length;
  }

  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    if (this.#length === 0) {
      this.#blocks.push(piece);
      this.#used = piece.byteLength;
    } else this.#copy(piece);
    this.#length += piece.byteLength;
  }

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

  #copy(piece: Uint8Array): void {
    const blocks = this.#blocks;
    let rest = piece;
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
