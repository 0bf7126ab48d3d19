/** Joins pieces of bytes as they arrive. */
export interface PieceBuffer {
  /** The bytes so far. */
  readonly length: number;
  /** How many arrays hold them: few, however small the pieces were. */
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
  const blocks: Uint8Array[] = [];
  let length = 0;
  /** Bytes used of the last block. */
  let used = 0;
  return {
    get length() {
      return length;
    },
    get blockCount() {
      return blocks.length;
    },
    add(piece) {
      if (piece.byteLength === 0) return;
      let rest = piece;
      if (length === 0) {
        blocks.push(piece);
        used = piece.byteLength;
        rest = piece.subarray(used);
      }
      for (let last = blocks.at(-1); rest.byteLength > 0; last = blocks.at(-1)) {
        if (!last || used === last.byteLength) {
          const size = Math.min(Math.max(length, minBlockBytes), maxBlockBytes);
          blocks.push(new Uint8Array(Math.max(size, rest.byteLength)));
          used = 0;
          continue;
        }
        const copied = rest.subarray(0, last.byteLength - used);
        last.set(copied, used);
        used += copied.byteLength;
        rest = rest.subarray(copied.byteLength);
      }
      length += piece.byteLength;
    },
    join() {
      const [first] = blocks;
      if (first && blocks.length === 1) return first;
      const joined = new Uint8Array(length);
      let offset = 0;
      for (const block of blocks) {
        joined.set(block.subarray(0, length - offset), offset);
        offset += block.byteLength;
      }
      return joined;
    },
  };
}
