import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { categories, hashText } from '@modelwire/engine-moderation/testing';

/** The teacher's predictions: a probability for each category, by text. */
export type Teacher = (text: string) => Float32Array | undefined;

const path = new URL('teacher.bin', import.meta.url);
const size = categories.length;
/** Logits are quantized in steps of 0.5, from -6 to 6. */
const step = 0.5;
const limit = 12;

/** Writes predictions by the hash of each text. The few texts with the same hash share one. */
export function writeTeacher(texts: readonly string[], logits: Float32Array): void {
  const bytes = Buffer.alloc(texts.length * (4 + size));
  texts.forEach((text, row) => bytes.writeUInt32LE(hashText(text), 4 * row));
  const start = 4 * texts.length;
  // Category by category, which compresses best.
  for (let column = 0; column < size; column++)
    for (let row = 0; row < texts.length; row++) {
      const steps = Math.round((logits[row * size + column] ?? 0) / step);
      bytes.writeInt8(Math.max(-limit, Math.min(limit, steps)), start + column * texts.length + row);
    }
  writeFileSync(path, brotliCompressSync(bytes));
}

export function readTeacher(): Teacher {
  const bytes = brotliDecompressSync(readFileSync(path));
  const count = bytes.length / (4 + size);
  const rows = new Map(Array.from({ length: count }, (_, row) => [bytes.readUInt32LE(4 * row), row]));
  return (text) => {
    const row = rows.get(hashText(text));
    if (row === undefined) return undefined;
    return Float32Array.from({ length: size }, (_, column) => {
      const steps = bytes.readInt8((4 + column) * count + row);
      return 1 / (1 + Math.exp(-steps * step));
    });
  };
}
