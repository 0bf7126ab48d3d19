/** Columns of a row: the number of categories rounded up, so that rows are aligned to words. */
export const stride = 16;
const wordsOfRow = stride / 4;
/** Weights are stored as unsigned bytes. */
const zero = 128;
/** Sums of this many bytes fit in 16 bits. */
const most = 256;
const lanes = 0x00ff00ff;

/** Rows of 8-bit weights, four per 32-bit word: a row costs four reads in one place of memory. */
export type PackedRows = Int32Array;

export function packedRows(rows: number): PackedRows {
  return new Int32Array(rows * wordsOfRow).fill(0x80808080);
}

export function setWeight(table: PackedRows, row: number, column: number, weight: number): void {
  const at = row * wordsOfRow + (column >> 2);
  const shift = (column & 3) * 8;
  table[at] = ((table[at] ?? 0) & ~(0xff << shift)) | ((weight + zero) << shift);
}

/**
 * The exact sum of the rows in a range of `rows`. Adds two weights at once, in the halves of a word, which takes a third of the
 * time. `sums` can be passed to reuse its memory.
 */
export function sumRows(
  table: PackedRows,
  rows: readonly number[],
  from: number,
  to: number,
  sums = new Int32Array(stride),
): Int32Array {
  sums.fill(0);
  for (let start = from; start < to; start += most) {
    const end = Math.min(to, start + most);
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let at = start; at < end; at++) {
      const base = (rows[at] ?? 0) * wordsOfRow;
      const first = table[base] ?? 0;
      const second = table[base + 1] ?? 0;
      const third = table[base + 2] ?? 0;
      const fourth = table[base + 3] ?? 0;
      a = (a + (first & lanes)) | 0;
      b = (b + ((first >>> 8) & lanes)) | 0;
      c = (c + (second & lanes)) | 0;
      d = (d + ((second >>> 8) & lanes)) | 0;
      e = (e + (third & lanes)) | 0;
      f = (f + ((third >>> 8) & lanes)) | 0;
      g = (g + (fourth & lanes)) | 0;
      h = (h + ((fourth >>> 8) & lanes)) | 0;
    }
    const zeros = zero * (end - start);
    addPair(sums, 0, a, zeros);
    addPair(sums, 1, b, zeros);
    addPair(sums, 4, c, zeros);
    addPair(sums, 5, d, zeros);
    addPair(sums, 8, e, zeros);
    addPair(sums, 9, f, zeros);
    addPair(sums, 12, g, zeros);
    addPair(sums, 13, h, zeros);
  }
  return sums;
}

function addPair(sums: Int32Array, column: number, pair: number, zeros: number): void {
  sums[column] = (sums[column] ?? 0) + (pair & 0xffff) - zeros;
  sums[column + 2] = (sums[column + 2] ?? 0) + (pair >>> 16) - zeros;
}
